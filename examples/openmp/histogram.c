/* The frequency of letters in a text and the lengths of its words, counted by a reduction over an array and by
 * atomic additions.
 * warpfold cc -O2 histogram.c -o histogram && warpfold run ./histogram */
#include <stdio.h>
#include <string.h>

#pragma omp begin declare target
/* Exists on the host and on the device. */
static const char text[] =
    "A reduction combines the values of many threads into one. Within a warp the lanes exchange registers; "
    "within a block the warps meet in shared memory; between blocks each leaves a record in its slot, and "
    "whoever comes last folds the slots. The runtime knows the order in which values are combined, and the "
    "compiler knows what they are: neither needs to know what the other does. So any type can be reduced, "
    "if somebody says how two of its values become one, and every operator that is associative will do.";
enum { LETTERS = 26, LONGEST = 16 };

static int letter(char c) { return c >= 'a' && c <= 'z' ? c - 'a' : c >= 'A' && c <= 'Z' ? c - 'A' : -1; }

/* The length of the word that ends before i, or 0. */
static int word(int i) {
  int length = 0;
  if (letter(text[i]) >= 0) return 0;
  while (length < i && letter(text[i - 1 - length]) >= 0) length++;
  return length;
}
#pragma omp end declare target

int main(void) {
  int length = strlen(text), letters[LETTERS] = {0}, words[LONGEST] = {0}, wrong = 0;
#pragma omp target teams distribute parallel for reduction(+ : letters) map(tofrom : letters)
  for (int i = 0; i < length; i++)
    if (letter(text[i]) >= 0) letters[letter(text[i])]++;

#pragma omp target teams distribute parallel for map(tofrom : words)
  for (int i = 0; i <= length; i++)
    if (word(i)) {
#pragma omp atomic update
      words[word(i)]++;
    }

  for (int l = 0; l < LETTERS; l++) {
    int count = 0;
    for (int i = 0; i < length; i++) count += letter(text[i]) == l;
    wrong += letters[l] != count;
  }
  for (int w = 1; w < LONGEST; w++) {
    int count = 0;
    for (int i = 0; i <= length; i++) count += word(i) == w;
    wrong += words[w] != count;
  }
  for (int l = 0; l < LETTERS; l++) printf("%c %d%s", 'a' + l, letters[l], l % 13 == 12 ? "\n" : "  ");
  for (int w = 1; w < LONGEST; w++) printf("%d%s", words[w], w == LONGEST - 1 ? " words of 1 to 15 letters\n" : " ");
  printf("%d counts differ from the host's\n", wrong);
  return wrong != 0;
}
