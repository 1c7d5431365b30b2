// Text: UTF-8, a tokeniser of JSON, edit distance, local alignment, numbers to decimal and back, Base64.

static u32 decode(const u8 *p, u32 n, u32 *errors) {
  u32 hash = 5381;
  for (u32 i = 0; i < n;) {
    u8 b = p[i];
    u32 code, more = b < 0x80 ? 0 : b >= 0xc2 && b < 0xe0 ? 1 : b >= 0xe0 && b < 0xf0 ? 2 : b < 0xf5 && b >= 0xf0 ? 3 : 9;
    code = more == 0 ? b : b & (0x3fu >> more);
    u32 k = 1;
    for (; more != 9 && k <= more && i + k < n && (p[i + k] & 0xc0) == 0x80; k++)
      code = code << 6 | (p[i + k] & 0x3f);
    static const u32 least[4] = {0, 0x80, 0x800, 0x10000};
    if (more == 9 || k <= more || code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
      (*errors)++;
      code = 0xfffd;
      k = 1;
    }
    hash = hash * 33 + code;
    i += k;
  }
  return hash;
}

enum Token { OPEN, CLOSE, LIST, END, COLON, COMMA, STRING, NUMBER, WORD, BAD };

static enum Token next(const char **p) {
  while (**p == ' ')
    ++*p;
  char c = *(*p)++;
  switch (c) {
  case '{': return OPEN;
  case '}': return CLOSE;
  case '[': return LIST;
  case ']': return END;
  case ':': return COLON;
  case ',': return COMMA;
  case '"':
    for (; **p != '"'; ++*p)
      if (**p == '\\')
        ++*p;
    ++*p;
    return STRING;
  default:
    if (c == '-' || (c >= '0' && c <= '9')) {
      while ((**p >= '0' && **p <= '9') || **p == '.' || **p == 'e' || **p == '-')
        ++*p;
      return NUMBER;
    }
    if (c >= 'a' && c <= 'z') {
      while (**p >= 'a' && **p <= 'z')
        ++*p;
      return WORD;
    }
    return BAD;
  }
}

static const char *const documents[4] = {
    "{\"a\": [1, 2.5e-3, -7], \"b\": {\"c\": null}}~",
    "[true, false, \"x\\\"y\", {}, []]~",
    "{\"name\": \"warp\", \"lanes\": 32, \"ok\": true}~",
    "[[[[0]], \"\"], {\"deep\": {\"er\": [1, 2, 3]}}]~",
};

static u32 tokens(const char *text) {
  u32 hash = 0;
  enum Token token;
  while ((token = next(&text)) != BAD)
    hash = hash * 11 + (u32)token + 1;
  return hash;
}

static u32 least(u32 a, u32 b) { return a < b ? a : b; }

static u32 distance(const u8 *a, u32 n, const u8 *b, u32 m) {
  u32 row[33];
  for (u32 j = 0; j <= m; j++)
    row[j] = j;
  for (u32 i = 1; i <= n; i++) {
    u32 corner = row[0];
    row[0] = i;
    for (u32 j = 1; j <= m; j++) {
      u32 above = row[j];
      row[j] = least(least(above, row[j - 1]) + 1, corner + (a[i - 1] != b[j - 1]));
      corner = above;
    }
  }
  return row[m];
}

static i32 alignment(const u8 *a, int n, const u8 *b, int m) {
  i32 score[33] = {0}, best = 0;
  for (int i = 0; i < n; i++) {
    i32 corner = 0;
    for (int j = 1; j <= m; j++) {
      i32 s = corner + (a[i] == b[j - 1] ? 3 : -2);
      corner = score[j];
      if (score[j] - 1 > s)
        s = score[j] - 1;
      if (score[j - 1] - 1 > s)
        s = score[j - 1] - 1;
      score[j] = s < 0 ? 0 : s;
      if (s > best)
        best = s;
    }
  }
  return best;
}

static int print(char *text, i64 value) {
  char digits[24];
  int n = 0, length = 0;
  u64 rest = value < 0 ? -(u64)value : (u64)value;
  do
    digits[n++] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0)
    text[length++] = '-';
  while (n)
    text[length++] = digits[--n];
  text[length] = 0;
  return length;
}

static i64 parse(const char *text) {
  bool negative = *text == '-';
  u64 value = 0;
  for (text += negative; *text; text++)
    value = value * 10 + (u64)(*text - '0');
  return (i64)(negative ? -value : value);
}

static u32 base64(const u8 *p, u32 n) {
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  u32 hash = 17;
  for (u32 i = 0; i < n; i += 3) {
    u32 three = (u32)p[i] << 16 | (u32)p[i + 1] << 8 | p[i + 2];
    for (int k = 18; k >= 0; k -= 6)
      hash = hash * 31 + (u8)alphabet[three >> k & 63];
  }
  return hash;
}

void item(const u32 *in, u32 *out) {
  const u8 *bytes = (const u8 *)in;
  u8 text[64], a[32], b[32];
  for (int i = 0; i < 64; i++)
    text[i] = i % 3 ? (bytes[i] & 0x3f) | 0x80 : bytes[i] & 1 ? bytes[i] | 0xc0 : bytes[i] & 0x7f;
  for (int i = 0; i < 32; i++) {
    a[i] = bytes[i] & 3;
    b[i] = bytes[i + 1] & 2 ? bytes[i + 1] & 3 : bytes[i + 99] & 3;
  }
  u32 errors = 0;
  out[0] = decode(text, 64, &errors);
  out[1] = errors;
  out[2] = tokens(documents[in[0] & 3]);
  out[3] = distance(a, 20 + in[1] % 12, b, 32);
  out[4] = (u32)alignment(a, 32, b, 32);
  char digits[24];
  i64 number = (i64)((u64)in[2] << 32 | in[3]) >> (in[4] & 63);
  out[5] = (u32)print(digits, number);
  i64 back = parse(digits);
  __builtin_memcpy(out + 6, &back, 8);
  out[8] = back == number;
  out[9] = base64(bytes, 99);
}
