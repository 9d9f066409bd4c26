// The two shapes that everything is drawn with, in a box of 10 × 18: a step, and the deeper print of a key page, whose
// heel is apart so that it reads without color.

export const sole =
  "M4.7.3C7.6.3 9.6 2.9 9.6 6.3c0 2.3-.8 3.9-1 5.9-.3 3.2-1.2 5.5-3.4 5.5s-3.1-1.8-2.9-4.3c.2-2.2-.4-3.5-1.1-5.4C.2 5.1 1 .3 4.7.3z"

export const print =
  "M4.9.3c2.8 0 4.7 2.5 4.7 5.9 0 1.6-.4 2.7-.9 3.7H1.7C1 8.6.4 7.4.4 5.6.4 2.5 2.1.3 4.9.3zM2.3 12.7h6c-.2 3-1.1 5-3.1 5-2 0-3-1.9-2.9-5z"

/** The feet of the mark, in a box of 24 × 24. */
export const leftFoot = "translate(11.4 5.8) rotate(-5 -5 9) scale(-.94 .94)"
export const rightFoot = "translate(12.6 1) rotate(5 5 9) scale(.94)"
