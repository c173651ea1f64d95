// Least-significant-digit radix sort. The keys are divided into LANES groups that keep counters of their own, so that
// several groups may be counted and moved at once.
#include "sort_radix.h"

static int digit_of(key_type key, int shift) {
    return (key >> shift) & (DIGITS - 1);
}

static void clear_counts(int counts[LANES][DIGITS]) {
clear_lane:
    for (int lane = 0; lane < LANES; lane++) {
    clear_digit:
        for (int d = 0; d < DIGITS; d++) {
            counts[lane][d] = 0;
        }
    }
}

static void count_digits(const key_type from[KEYS], int counts[LANES][DIGITS], int shift) {
count_key:
    for (int k = 0; k < KEYS_PER_LANE; k++) {
    count_lane:
        for (int lane = 0; lane < LANES; lane++) {
            int d = digit_of(from[lane * KEYS_PER_LANE + k], shift);
            counts[lane][d]++;
        }
    }
}

// Turns counts into the place of the first key of every lane and digit.
static void first_places(int counts[LANES][DIGITS]) {
    int place = 0;
place_digit:
    for (int d = 0; d < DIGITS; d++) {
    place_lane:
        for (int lane = 0; lane < LANES; lane++) {
            int here = counts[lane][d];
            counts[lane][d] = place;
            place += here;
        }
    }
}

static void move_keys(const key_type from[KEYS], key_type to[KEYS], int places[LANES][DIGITS], int shift) {
move_key:
    for (int k = 0; k < KEYS_PER_LANE; k++) {
    move_lane:
        for (int lane = 0; lane < LANES; lane++) {
            key_type key = from[lane * KEYS_PER_LANE + k];
            int d = digit_of(key, shift);
            to[places[lane][d]] = key;
            places[lane][d]++;
        }
    }
}

void sort_radix(key_type keys[KEYS], key_type other[KEYS]) {
    int counts[LANES][DIGITS];

    // two digits a turn: there and back
digit_pair:
    for (int shift = 0; shift < 32; shift += 2 * DIGIT_BITS) {
        clear_counts(counts);
        count_digits(keys, counts, shift);
        first_places(counts);
        move_keys(keys, other, counts, shift);

        clear_counts(counts);
        count_digits(other, counts, shift + DIGIT_BITS);
        first_places(counts);
        move_keys(other, keys, counts, shift + DIGIT_BITS);
    }
}
