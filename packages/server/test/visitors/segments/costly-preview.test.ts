// A preview whose rule takes too long is rejected, because it needs the count (spec 5.4).
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Audit } from "../../../src/access/audit/audit.ts"
import { StatementTimedOut } from "../../../src/platform/database/statement-timeout.ts"
import { KeyedLists } from "../../../src/platform/lists/keyed-lists.ts"
import { Pixels } from "../../../src/collect/pixels/pixels.ts"
import { Lists } from "../../../src/people/lists/lists.ts"
import { CompanyStore } from "../../../src/people/visitors/companies/store.ts"
import { RuleReader } from "../../../src/people/visitors/query/rule-reader.ts"
import { RuleTurns } from "../../../src/people/visitors/query/rule-turns.ts"
import { Segments, SegmentUse } from "../../../src/people/visitors/segments/segments.ts"
import { SegmentStore } from "../../../src/people/visitors/segments/store.ts"
import { VisitorStore } from "../../../src/people/visitors/store.ts"

const ruleAst = { version: 1, rule: { field: "behavior.sessions", op: "gte", value: 1 } }

const previewWith = (visitors: Partial<VisitorStore["Service"]>) =>
  Effect.flatMap(Segments, (segments) =>
    Effect.result(segments.preview("3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f", { ruleAst })),
  ).pipe(
    Effect.provide(
      Segments.layer.pipe(
        Layer.provide(
          Layer.mergeAll(
            Layer.mock(Audit, {}),
            Layer.mock(CompanyStore, {}),
            Layer.mock(KeyedLists, {}),
            Layer.mock(Pixels, { remembered: () => undefined }),
            Layer.mock(SegmentStore, { list: () => assert.fail("a preview lists no segments") }),
            Layer.mock(SegmentUse, {}),
            Layer.mock(VisitorStore, visitors),
            Layer.provide(RuleReader.layer, Layer.mock(Lists, {})),
            RuleTurns.layer,
            SecureRandom.layerWebCrypto,
          ),
        ),
      ),
    ),
  )

describe("a preview", () => {
  for (const { name, visitors } of [
    {
      name: "counting",
      visitors: {
        countWithin: () => Effect.succeed(null),
        listWithin: () => Effect.succeed([]),
      },
    },
    {
      name: "while searching its sample",
      visitors: {
        countWithin: () => Effect.succeed(3),
        listWithin: () => Effect.fail(new StatementTimedOut()),
      },
    },
  ]) {
    it.effect(`that takes too long ${name} is rejected for its cost`, () =>
      Effect.gen(function* () {
        const result = yield* previewWith(visitors)

        assert.deepInclude(result, { _tag: "Failure" })
        assert.deepInclude(result._tag === "Failure" ? result.failure : {}, {
          _tag: "QueryTooSlow",
          seconds: 10,
        })
      }),
    )
  }
})
