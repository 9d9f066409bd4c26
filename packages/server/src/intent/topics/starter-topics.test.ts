import { parse } from "csv-parse/sync"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { TopicType } from "./topic.ts"

const file = readFileSync(new URL("../../../assets/topics.csv", import.meta.url), "utf8")
const topics = parse<Readonly<Record<string, string>>>(file, { columns: true })

it("the starter catalog has at least 150 topics, each with a unique name and at least two other names", () => {
  expect(topics.length).toBeGreaterThan(150)
  expect(new Set(topics.map(({ topicId }) => topicId)).size).toBe(topics.length)
  expect(new Set(topics.map(({ topicName }) => topicName)).size).toBe(topics.length)
  for (const { category, industry, topicName, type, words } of topics) {
    expect([topicName, industry, category], topicName).not.toContain("")
    expect(TopicType.literals, topicName).toContain(type)
    const each = words?.split("|") ?? []
    expect(each.length, topicName).toBeGreaterThanOrEqual(2)
    expect(new Set(each).size, topicName).toBe(each.length)
    for (const word of each) expect(word, topicName).toMatch(/^\S(?:.{0,58}\S)?$/)
  }
})

it("contains nothing that needs quotes, because it is read line by line", () => {
  expect(file).not.toContain('"')
  expect(file.trim().split("\n")).toHaveLength(topics.length + 1)
})
