#ifndef KNOBSCAPE_SORT_RADIX_H
#define KNOBSCAPE_SORT_RADIX_H

#define KEYS 1024
#define DIGIT_BITS 4
#define DIGITS (1 << DIGIT_BITS)
#define LANES 8 /* groups of keys that are counted separately */
#define KEYS_PER_LANE (KEYS / LANES)

typedef unsigned int key_type;

// Sorts the keys in ascending order; `other` is scratch space of the same size.
void sort_radix(key_type keys[KEYS], key_type other[KEYS]);

#endif
