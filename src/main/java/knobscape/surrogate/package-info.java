/// Models that learn from evaluations and say what they believe elsewhere: a surrogate gives a posterior, and knows nothing of how it is used.
package knobscape.surrogate;
