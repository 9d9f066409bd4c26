import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { Rejection } from "../../../people/imports/rejection.ts"
import { personReader, personRow } from "../../../people/person/person-row.ts"
import { peopleLines, signalLines } from "./csv.ts"
import { emailAt, personAt } from "./person.ts"
import { signalsOfDay } from "./signals.ts"
import { catalogOf, topicLines } from "./topics.ts"

const csv = readFileSync(new URL("../../../../assets/topics.csv", import.meta.url), "utf8")

describe("the demo's catalog", () => {
  const topics = catalogOf(csv, 438)

  it("has at least 300 topics, each with a type, an industry and a category", () => {
    expect(topics.length).toBeGreaterThanOrEqual(300)
    for (const topic of topics) {
      expect(topic.topicId).toBeGreaterThanOrEqual(1)
      expect(["b2b", "b2c", "both"]).toContain(topic.type)
      expect(topic.industry).toMatch(/^[a-z ]{5,100}$/)
      expect(topic.category).toMatch(/^[a-z ]{4,100}$/)
    }
  })

  it("repeats no topic and no id, also among 20,000 variations", () => {
    const many = catalogOf(csv, 20_000)

    expect(many).toHaveLength(20_000)
    expect(new Set(many.map(({ topicId }) => topicId)).size).toBe(20_000)
    expect(new Set(many.map(({ topicName }) => topicName)).size).toBe(20_000)
  })

  it("is read back as it is written", () => {
    expect(`${[...topicLines(topics)].join("\n")}\n`).toBe(csv)
  })
})

describe("generated people", () => {
  it("are people an import accepts, each with their own address", () => {
    const emails = new Set<string>()
    for (let number = 0; number < 5_000; number++) {
      const person = personAt(number, 4100)
      const record = personReader.object(person)
      expect(record).not.toBeInstanceOf(Rejection)
      if (!(record instanceof Rejection)) expect(personRow(record)).not.toBeInstanceOf(Rejection)
      emails.add(person.email!)
    }

    expect(emails.size).toBe(5_000)
  })

  it("are the same for the same number and seed", () => {
    expect(personAt(777, 4100)).toEqual(personAt(777, 4100))
    expect(personAt(777, 4100)).not.toEqual(personAt(777, 4101))
  })

  it("have as many cells as the header", () => {
    const [header, ...lines] = [...peopleLines({ peopleCount: 200, seed: 1 })]
    const columns = header!.split(",").length

    expect(lines).toHaveLength(200)
    for (const line of lines) {
      expect(line.replaceAll(/"[^"]*"/g, "").split(",")).toHaveLength(columns)
    }
  })
})

describe("generated signals", () => {
  const topics = catalogOf(csv, 438)
  const plan = { topics, peopleCount: 10_007, signalsCount: 100_000, daysCount: 10, seed: 4100 }

  it("are as many as requested, without duplicate keys", () => {
    const lines = [
      ...signalLines({ ...plan, lastDate: "2026-03-10", emailOf: (n) => emailAt(n, 1) }),
    ].slice(1)
    const keys = new Set(lines.map((line) => line.replace(/,\d+,(?=\d{4}-)/, ",")))

    expect(lines).toHaveLength(100_000)
    expect(keys.size).toBe(100_000)
    expect(lines.at(-1)).toMatch(/^\d+,[0-9a-f]{64},\d{1,3},2026-03-10$/)
  })

  it("have scores from 1 to 100 and people below their count, whatever the plan", () => {
    fc.assert(
      fc.property(
        fc.record({
          peopleCount: fc.integer({ min: 1, max: 3_000 }),
          signalsCount: fc.integer({ min: 1, max: 5_000 }),
          daysCount: fc.integer({ min: 1, max: 5 }),
          seed: fc.integer({ min: 1, max: 1_000_000 }),
        }),
        (sizes) => {
          for (let day = 0; day < sizes.daysCount; day++) {
            const keys = new Set<string>()
            for (const { person, score, topicId } of signalsOfDay({ topics, ...sizes }, day)) {
              keys.add(`${topicId} ${person}`)
              if (score < 1 || score > 100 || !Number.isInteger(score)) return false
              if (person < 0 || person >= sizes.peopleCount) return false
            }
            const made = [...signalsOfDay({ topics, ...sizes }, day)].length
            if (keys.size !== made) return false
          }
          return true
        },
      ),
      { numRuns: 60 },
    )
  })

  it("are spread over topics by Zipf's law: the first has about twice as many as the second", () => {
    const counts = new Map<number, number>()
    for (let day = 0; day < plan.daysCount; day++) {
      for (const { topicId } of signalsOfDay(plan, day)) {
        counts.set(topicId, (counts.get(topicId) ?? 0) + 1)
      }
    }
    const sorted = [...counts.values()].sort((one, other) => other - one)

    expect(sorted[0]! / sorted[1]!).toBeGreaterThan(1.5)
    expect(sorted[0]! / sorted[1]!).toBeLessThan(2.6)
    expect(sorted[0]! / sorted[9]!).toBeGreaterThan(7)
  })

  it("have people for every topic if a share is spread evenly, and most for the prominent ones", () => {
    const prominent = [3377, 1204]
    const spread = { ...plan, signalsCount: 100_000, evenShare: 0.8, prominent }
    const counts = new Map<number, number>()
    for (const { topicId } of signalsOfDay(spread, 9)) {
      counts.set(topicId, (counts.get(topicId) ?? 0) + 1)
    }
    const median = [...counts.values()].sort((one, other) => one - other)[topics.length / 2]!

    expect(counts.size).toBe(topics.length)
    expect(Math.min(...counts.values())).toBeGreaterThan(15)
    expect(counts.get(3377)! / median).toBeGreaterThan(2)
    expect(counts.get(1204)! / median).toBeGreaterThan(2)
  })

  it("have scores mostly from 50 to 90, so that the usual ones find a third of the people or more", () => {
    const scores = [...signalsOfDay(plan, 9)].map(({ score }) => score)
    const share = (from: number, to: number) =>
      scores.filter((score) => score >= from && score <= to).length / scores.length

    expect(share(50, 89)).toBeGreaterThan(0.7)
    expect(share(70, 100)).toBeGreaterThan(0.35)
    expect(share(70, 100)).toBeLessThan(0.6)
    expect(share(90, 100)).toBeGreaterThan(0.03)
    expect(share(90, 100)).toBeLessThan(0.15)
  })

  it("keep most people of a topic from one day to the next", () => {
    const peopleOn = (day: number) =>
      new Set(
        [...signalsOfDay(plan, day)]
          .filter(({ topicId }) => topicId === 1099)
          .map(({ person }) => person),
      )
    const [before, after] = [peopleOn(3), peopleOn(4)]
    const stayed = [...after].filter((person) => before.has(person)).length

    expect(stayed / after.size).toBeGreaterThan(0.8)
    expect(stayed / after.size).toBeLessThan(1)
  })
})
