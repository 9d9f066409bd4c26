import { describe, expect, it } from "vitest"
import { type Alert, asksBefore, judgementOf, type State } from "./judgement.ts"

const minute = 60_000
const made = 100 * minute

const alert = (change: Partial<Alert> = {}): Alert => ({
  webhookId: "entered",
  trigger: "entered_segment",
  from: made,
  isSettled: true,
  ...change,
})
const entered = alert()
const left = alert({ webhookId: "left", trigger: "left_segment" })
const waiting = [entered, left].map((one) => ({ ...one, isSettled: false }))
const state = (change: Partial<State> = {}): State => ({
  subject: "ann",
  isSilent: false,
  seenAt: 0,
  isIn: null,
  judgedAt: null,
  ...change,
})
const inside = { isIn: true, judgedAt: 1 }

/** The webhooks that send it, and the record. */
const judged = (one: State, isIn: boolean, alerts: ReadonlyArray<Alert>, wasIn = false) => {
  const { record, told } = judgementOf(one, isIn, alerts, () => wasIn)
  return { told: told.map(({ webhookId }) => webhookId), record }
}

describe("when everyone's state is known", () => {
  it.each([
    ["someone new in it entered", state(), true, { told: ["entered"], record: true }],
    [
      "someone who is still in it did nothing",
      state(inside),
      true,
      { told: [], record: undefined },
    ],
    ["someone recorded and not in it left", state(inside), false, { told: ["left"], record: null }],
    ["someone who never was in it did nothing", state(), false, { told: [], record: undefined }],
    [
      "someone suppressed is recorded without a message",
      state({ isSilent: true }),
      true,
      { told: [], record: true },
    ],
    [
      "the record of someone outside is not needed any more",
      state({ isIn: false, judgedAt: 1 }),
      false,
      { told: [], record: null },
    ],
  ])("%s", (_, one, isIn, expected) => {
    expect(judged(one, isIn, [entered, left])).toEqual(expected)
  })
})

describe("while an alert is new", () => {
  it("nothing is said about someone who has not come back since", () => {
    expect(judged(state(), true, waiting)).toEqual({ told: [], record: true })
    expect(judged(state(inside), false, waiting)).toEqual({ told: [], record: false })
  })

  it("someone who came back is compared with the time at which it was made", () => {
    const back = state({ seenAt: made + minute })

    expect(waiting.every((one) => asksBefore(back, one))).toBe(true)
    expect(judged(back, true, waiting, false)).toEqual({ told: ["entered"], record: true })
    expect(judged(back, true, waiting, true)).toEqual({ told: [], record: true })
    expect(judged(back, false, waiting, true)).toEqual({ told: ["left"], record: false })
    expect(judged(back, false, waiting, false)).toEqual({ told: [], record: false })
  })

  it("someone who was looked at since is compared with that", () => {
    const back = state({ seenAt: made + minute, isIn: false, judgedAt: made + 2 * minute })

    expect(waiting.some((one) => asksBefore(back, one))).toBe(false)
    expect(judged(back, true, waiting)).toEqual({ told: ["entered"], record: true })
    expect(judged({ ...back, isIn: true }, false, waiting)).toEqual({
      told: ["left"],
      record: false,
    })
  })

  it("someone in the middle of a session gets a record, also outside", () => {
    expect(judged(state({ seenAt: made - 29 * minute }), false, waiting).record).toBe(false)
    expect(judged(state({ seenAt: made - 31 * minute }), false, waiting).record).toBeUndefined()
  })

  it("an older alert says what it knows", () => {
    const both = [entered, { ...entered, webhookId: "new", isSettled: false }]

    expect(judged(state(), true, both)).toEqual({ told: ["entered"], record: true })
    expect(judged(state({ seenAt: made + 1 }), true, both, true).told).toEqual(["entered"])
    expect(judged(state({ seenAt: made + 1 }), true, both, false).told).toEqual(["entered", "new"])
  })
})
