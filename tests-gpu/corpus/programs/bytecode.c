// A stack machine: a dense switch, signed division, and a loop whose path depends on the data.

enum { PUSH, ADD, SUB, MUL, DIV, REM, AND, OR, XOR, NOT, NEG, SHL, SHR, DUP, SWAP, LESS, SKIP, BACK };

void item(const u32 *in, u32 *out) {
  i32 stack[16] = {1, 2, 3, 4};
  u32 top = 4, at = 0, steps = 0, backs = 0;
  while (at < IN && steps < 400) {
    u32 code = in[at] % 18, argument = in[at] >> 8;
    steps++;
    at++;
    i32 *a = &stack[(top - 1) & 15], *b = &stack[(top - 2) & 15];
    switch (code) {
    case PUSH: stack[top++ & 15] = (i32)argument; break;
    case ADD: *b = (i32)((u32)*b + (u32)*a); top--; break;
    case SUB: *b = (i32)((u32)*b - (u32)*a); top--; break;
    case MUL: *b = (i32)((u32)*b * (u32)*a); top--; break;
    case DIV: *b = *a == 0 || *a == -1 ? 7 : *b / *a; top--; break;
    case REM: *b = *a == 0 || *a == -1 ? 3 : *b % *a; top--; break;
    case AND: *b &= *a; top--; break;
    case OR: *b |= *a; top--; break;
    case XOR: *b ^= *a; top--; break;
    case NOT: *a = ~*a; break;
    case NEG: *a = (i32)-(u32)*a; break;
    case SHL: *a = (i32)((u32)*a << (argument & 31)); break;
    case SHR: *a = *a >> (argument & 31); break;
    case DUP: stack[top & 15] = *a; top++; break;
    case SWAP: { i32 t = *a; *a = *b; *b = t; break; }
    case LESS: *b = *b < *a; top--; break;
    case SKIP: at += argument & 3; break;
    case BACK:
      if (backs++ < 8)
        at -= argument % (at + 1);
      break;
    default: __builtin_unreachable();
    }
  }
  for (int i = 0; i < 14; i++)
    out[i] = (u32)stack[i];
  out[14] = top;
  out[15] = steps;
}
