// What a footprint says without its color: by number, by length, by shape, and in words.
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { everyDay, footprintOf } from "./days.ts"
import { ScoreFeet, toneOf } from "./feet.tsx"
import { CompanyMark, initialsOf, PersonMark, tintOf } from "./mark.tsx"
import { print, sole } from "./shapes.ts"
import { Step, stepLength, Trail } from "./trail.tsx"
import { Tread } from "./tread.tsx"
import { Walk } from "./walk.tsx"

const times = (text: string, part: string): number => text.split(part).length - 1

describe("the feet of a score", () => {
  it("are filled to fit and interest, with the total as a number beside them", () => {
    const shown = renderToStaticMarkup(
      <ScoreFeet score={{ total: 58, fit: 75, interest: 40, hot: false }} />,
    )
    expect(shown).toContain("--fit:0.75")
    expect(shown).toContain("--int:0.4")
    expect(shown).toContain("<b>58</b>")
    expect(shown).toContain('title="Fit 75, interest 40"')
    expect(shown).not.toContain(" hot</span>")
  })

  it("say in a word that someone is hot", () => {
    const score = { total: 93, fit: 95, interest: 91, hot: true }
    expect(renderToStaticMarkup(<ScoreFeet score={score} />)).toContain(" hot</span>")
    expect(toneOf(score)).toBe("hot")
    expect(toneOf({ total: 40, hot: false })).toBe("warm")
    expect(toneOf({ total: 39, hot: false })).toBe("cool")
  })

  it("are a dash without a score, and never overflow", () => {
    expect(renderToStaticMarkup(<ScoreFeet score={null} />)).not.toContain("<svg")
    const shown = renderToStaticMarkup(
      <ScoreFeet score={{ total: 100, fit: 900, interest: -5, hot: true }} />,
    )
    expect(shown).toContain("--fit:1")
    expect(shown).toContain("--int:0")
  })
})

describe("the trail of a visit", () => {
  const page = (seconds: number | null, isKey = false) => ({ seconds, isKey })

  it("has a step a page, longer the longer someone stayed, between 9 and 14 pixels", () => {
    expect(stepLength(null)).toBe(9)
    expect(stepLength(60)).toBeGreaterThan(stepLength(20))
    expect(stepLength(300)).toBe(14)
    expect(stepLength(86_400)).toBe(14)
    expect(stepLength(-1)).toBe(9)
    const shown = renderToStaticMarkup(
      <Trail pages={[page(10), page(90), page(null)]} label="3 pages" />,
    )
    expect(times(shown, "<path")).toBe(3)
    expect(shown).toContain('aria-label="3 pages"')
  })

  it("shows a key page by its shape, not only by its color", () => {
    const shown = renderToStaticMarkup(<Trail pages={[page(10), page(10, true)]} label="" />)
    expect(times(shown, sole)).toBe(1)
    expect(times(shown, print)).toBe(1)
    expect(renderToStaticMarkup(<Step index={0} isKey seconds={3} />)).toContain(print)
  })

  it("shows the first 15 of more pages, and how many more there are", () => {
    const pages = Array.from({ length: 40 }, () => page(5))
    const shown = renderToStaticMarkup(<Trail pages={pages} label="40 pages" />)
    expect(times(shown, "<path")).toBe(15)
    expect(shown).toContain("+25")
  })

  it("is outlined if the visitor is anonymous, and silent if words say the same", () => {
    const shown = renderToStaticMarkup(<Trail pages={[page(1)]} label="" isAnonymous />)
    expect(shown).toContain("trail anonymous")
    expect(shown).toContain('aria-hidden="true"')
    expect(shown).not.toContain("role=")
  })
})

describe("the tread of days", () => {
  const dates = everyDay("2026-10-30", "2026-11-02")

  it("has every day of the period, over the end of a month and without gaps", () => {
    expect(dates).toEqual(["2026-10-30", "2026-10-31", "2026-11-01", "2026-11-02"])
    expect(everyDay("2026-11-02", "2026-11-01")).toEqual([])
  })

  it("adds up what several people did on a day, and knows a day with a key page", () => {
    const day = (date: string, pageviews: number, keyPages: ReadonlyArray<string> = []) => ({
      date,
      pageviews,
      keyPages,
    })
    const all = footprintOf(dates, [
      day("2026-10-30", 2),
      day("2026-10-30", 3, ["pricing"]),
      day("2026-11-02", 1),
      // Outside the period.
      day("2026-01-01", 9),
    ])
    expect(all.map(({ pageviews }) => pageviews)).toEqual([5, 0, 0, 1])
    expect(all.map(({ isKey }) => isKey)).toEqual([true, false, false, false])
  })

  it("shows a dash for a day without a visit, and presses a key day through the base line", () => {
    const shown = renderToStaticMarkup(
      <Tread
        label="Visits on 2 of the last 3 days"
        top={10}
        days={[
          { date: "1", pageviews: 0, isKey: false },
          { date: "2", pageviews: 10, isKey: false },
          { date: "3", pageviews: 10, isKey: true },
        ]}
      />,
    )
    expect(times(shown, 'class="z"')).toBe(1)
    const heights = [...shown.matchAll(/height="([\d.]+)" rx/g)].map(([, height]) => Number(height))
    expect(heights[1]! - heights[0]!).toBeCloseTo(4)
    expect(shown).toContain('aria-label="Visits on 2 of the last 3 days"')
  })
})

describe("who walked when", () => {
  it("has a row a person with a step a day, words for each row, and the pages of all above", () => {
    const dates = everyDay("2026-11-20", "2026-11-22")
    const days = footprintOf(dates, [
      { date: "2026-11-20", pageviews: 2, keyPages: [] },
      { date: "2026-11-22", pageviews: 1, keyPages: ["demo"] },
    ])
    const shown = renderToStaticMarkup(
      <Walk
        dates={dates}
        known={days}
        anonymous={footprintOf(dates, [{ date: "2026-11-21", pageviews: 4, keyPages: [] }])}
        rows={[
          { id: "1", name: "<b>", label: "Ida: visits on 2 of 3 days", days },
          { id: "2", name: "Anonymous", label: "Anonymous", isAnonymous: true, days: [] },
        ]}
      />,
    )
    expect(shown).toContain('aria-label="3 pages of known people, 4 of anonymous visitors"')
    expect(shown).toContain('aria-label="Ida: visits on 2 of 3 days"')
    expect(times(shown, sole)).toBe(1)
    expect(times(shown, print)).toBe(1)
    // Two days of a weekend, in three rows.
    expect(times(shown, 'class="we"')).toBe(6)
    expect(shown).toContain("&lt;b&gt;")
    expect(shown).toContain("2026-11-22: 1 page, a key page")
    expect(shown).toContain("tracks anonymous")
  })
})

describe("marks", () => {
  it("have one tint for a company and its people, and none without a domain", () => {
    expect(tintOf("acme.example")).toBe(tintOf("acme.example"))
    expect(tintOf(null)).toBe(0)
    const tints = new Set(Array.from({ length: 60 }, (_, index) => tintOf(`${index}.example`)))
    expect([...tints].toSorted()).toEqual([1, 2, 3, 4, 5, 6])
    const tint = `t${tintOf("acme.example")}`
    expect(renderToStaticMarkup(<PersonMark name="Ida" domain="acme.example" />)).toContain(tint)
    expect(renderToStaticMarkup(<CompanyMark name="Acme" domain="acme.example" />)).toContain(tint)
  })

  it("take initials of any script, and never show markup or half a character", () => {
    expect(initialsOf("Łukasz Wójcik")).toBe("ŁW")
    expect(initialsOf("ida.jensen")).toBe("IJ")
    expect(initialsOf("Ida")).toBe("I")
    expect(initialsOf("שרה כהן")).toBe("שכ")
    expect(initialsOf("<img src=x>")).toBe("SX".slice(0, 1))
    expect(initialsOf("")).toBe("·")
    expect(renderToStaticMarkup(<CompanyMark name="😀😀 Ltd" domain={null} />)).toContain(">😀😀<")
  })
})
