// The words of a text as search compares them: without case and accents, letters and digits together, and
// the signs of names like C++ and C#.
import { foldCase } from "../../database/case-folding.ts"

export const searchWords = (text: string): ReadonlyArray<string> =>
  foldCase(text.normalize("NFKD").replaceAll(/\p{M}+/gu, "")).match(/[\p{L}\p{N}+#]+/gu) ?? []
