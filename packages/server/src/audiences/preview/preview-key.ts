// The name of a preview: the same for the same configuration, data date and organization, and nothing that
// anyone else could make (spec 2.10).

const alphabet = "abcdefghijklmnopqrstuvwxyz234567"
/** Characters behind `pv_`; 130 bits. */
const length = 26

/** *Bounds*: at least 17 bytes of signature. */
export const previewKey = (signature: Uint8Array): string => {
  let key = "pv_"
  for (let place = 0; place < length; place++) {
    const bit = place * 5
    const pair = (signature[bit >> 3]! << 8) | signature[(bit >> 3) + 1]!
    key += alphabet[(pair >> (11 - (bit & 7))) & 31]!
  }
  return key
}
