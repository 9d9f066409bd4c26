/**
 * Random UUID v4, for events and browsers. `crypto.randomUUID` exists on https only, so each digit
 * takes its bits from `getRandomValues`, which every ES2017 browser has.
 */
export const newUuid = (): string =>
  // 10000000-1000-4000-8000-100000000000
  ("" + 1e7 + -1e3 + -4e3 + -8e3 + -1e11).replace(/[018]/g, (digit) =>
    // The digit 8 keeps its upper two bits (the variant); 0 and 1 become any digit.
    (
      +digit ^
      ((crypto.getRandomValues(new Uint8Array(1))[0] as number) & (15 >> (+digit / 4)))
    ).toString(16),
  )
