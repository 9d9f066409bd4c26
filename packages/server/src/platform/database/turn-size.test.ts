import { expect, it } from "vitest"
import { TurnSize, TurnSizes } from "./turn-size.ts"

const make = () => new TurnSize({ least: 100, first: 500, most: 2_000 })

it("after a turn that took too long, the next one should take 200 ms", () => {
  const size = make()

  size.took(500, 1_000)

  expect(size.next).toBe(100)
})

it("a kind of work may aim at shorter turns", () => {
  const size = new TurnSize({ least: 25, first: 50, most: 1_000, aimedAtMs: 100 })

  size.took(50, 125)

  expect(size.next).toBe(40)
})

it("quick turns grow, at most doubling each time", () => {
  const size = make()

  size.took(500, 10)
  const second = size.next
  size.took(second, 10)
  size.took(size.next, 10)

  expect([second, size.next]).toEqual([1_000, 2_000])
})

it("a small turn that was quick does not shrink large ones", () => {
  const size = make()

  size.took(3, 1)
  size.took(0, 5_000)

  expect(size.next).toBe(500)
})

it("a small turn that was slow makes the next ones smaller", () => {
  const size = make()

  size.took(300, 600)

  expect(size.next).toBe(100)
})

it("a turn never has fewer rows than the minimum", () => {
  const size = make()

  for (let turn = 0; turn < 5; turn++) size.took(size.next, 60_000)

  expect(size.next).toBe(100)
})

it("a slow organization makes only its own turns smaller", () => {
  const sizes = new TurnSizes({ least: 100, first: 500, most: 2_000 })

  sizes.of("slow").took(500, 1_000)
  sizes.of("quick").took(500, 10)

  const next = ["slow", "quick", "new"].map((organizationId) => sizes.of(organizationId).next)
  expect(next).toEqual([100, 1_000, 500])
})

it("when too many organizations are remembered, the one idle longest starts over", () => {
  const sizes = new TurnSizes({ least: 100, first: 500, most: 2_000 }, 2)
  sizes.of("one").took(500, 1_000)
  sizes.of("two").took(500, 1_000)

  sizes.of("one")
  sizes.of("three")

  expect([sizes.of("one").next, sizes.of("two").next]).toEqual([100, 500])
})
