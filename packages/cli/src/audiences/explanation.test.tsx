// A preview that explains itself: who is left after each part, and the scores of everyone.

import { stripVTControlCharacters } from "node:util"
import { expect, test } from "vitest"
import { preview } from "../../test/fixtures/intent-records.ts"
import { drawn } from "../ui/drawn.ts"
import { AudiencePreviewView } from "./views.tsx"

const text = (explanation: (typeof preview)["explanation"], explanationTooSlow = false) =>
  stripVTControlCharacters(
    drawn(
      AudiencePreviewView,
      {
        preview: { ...preview, explanation, explanationTooSlow },
        config: { topicIds: [1204] },
        names: { topics: new Map() },
        screenColumns: 80,
      },
      80,
    ),
  )

test("shows people after each part, and everyone's scores instead of the sample's", () => {
  const shown = text({
    parts: [
      { part: "topics", count: 4_000 },
      { part: "hasPhone", count: 1_500 },
      { part: "suppression", count: 1_204 },
    ],
    scores: [{ score: 62, people: 31 }],
  })

  expect(shown).toMatch(/Topics .* 4,000/)
  expect(shown).toMatch(/Phone .* 1,500/)
  expect(shown).toMatch(/Not suppressed .* 1,204/)
  expect(shown).toMatch(/60 to 64 .* 31/)
  expect(shown).not.toContain("Scores of the sample")
})

test("without an explanation shows the sample's scores", () => {
  expect(text(null)).toContain("Scores of the sample: the 50 highest, not all 1,204")
  expect(text(null)).not.toContain("longer than 10 seconds")
})

test("says that explaining it took too long, and shows the count", () => {
  expect(text(null, true)).toContain("1,204 people")
  expect(text(null, true)).toContain("Explaining it took longer than 10 seconds")
})
