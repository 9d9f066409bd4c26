// Every rule that the SDK's types permit is one that the server accepts: the same fields of each type, the same
// operators, the same values (spec 3). A difference is a type error; the run only needs to pass.
import type { ofFields } from "@footfall/normal-form/rule-fields"
import type * as sdk from "@footfall/sdk"
import { describe, expectTypeOf, it } from "vitest"
import type { FieldOf, Predicate } from "../../src/people/visitors/query/predicate.ts"
import type { InvalidRuleReason } from "../../src/people/visitors/query/invalid-rule.ts"
import type { RuleAst, RuleNode } from "../../src/people/visitors/query/rule.ts"

describe("a rule of the SDK and of the server", () => {
  it("has the same fields of each type", () => {
    expectTypeOf<sdk.NumberField>().toEqualTypeOf<FieldOf<"number">>()
    expectTypeOf<sdk.TextField>().toEqualTypeOf<FieldOf<"text">>()
    expectTypeOf<sdk.TextListField>().toEqualTypeOf<FieldOf<"texts">>()
    expectTypeOf<sdk.BooleanField>().toEqualTypeOf<FieldOf<"boolean">>()
    expectTypeOf<sdk.DatetimeField>().toEqualTypeOf<FieldOf<"datetime">>()
    expectTypeOf<sdk.PropertyField>().toEqualTypeOf<FieldOf<"property">>()
    expectTypeOf<sdk.ListField>().toEqualTypeOf<FieldOf<"list">>()
    expectTypeOf<sdk.NumberListField>().toEqualTypeOf<FieldOf<"numbers">>()
  })

  it("takes of for the same fields", () => {
    expectTypeOf<sdk.OfField>().toEqualTypeOf<keyof typeof ofFields>()
  })

  it("has the same operators and values for each field", () => {
    expectTypeOf<Values<sdk.Predicate>>().toEqualTypeOf<Values<Predicate>>()
  })

  it("has the same members around the conditions", () => {
    expectTypeOf<Keys<sdk.RuleAst>>().toEqualTypeOf<Keys<RuleAst>>()
    expectTypeOf<Keys<sdk.RuleNode>>().toEqualTypeOf<Keys<RuleNode>>()
    expectTypeOf<sdk.RuleAst["version"]>().toEqualTypeOf<RuleAst["version"]>()
  })

  it("is rejected for the same reasons", () => {
    expectTypeOf<sdk.InvalidRuleReason>().toEqualTypeOf<InvalidRuleReason>()
  })
})

interface Leaf {
  readonly field: string
  readonly op: string
  readonly value: unknown
}

/** The value of each operator of each field. In the server's types, a duration is text. */
type Values<Predicate extends Leaf> = {
  readonly [Field in Predicate["field"]]: {
    readonly [Operator in Of<Predicate, Field>["op"]]: Text<
      Extract<Of<Predicate, Field>, { readonly op: Operator }>["value"]
    >
  }
}
type Of<Predicate extends Leaf, Field> = Predicate extends Leaf
  ? Field extends Predicate["field"]
    ? {
        [Op in Predicate["op"]]: { readonly op: Op; readonly value: Predicate["value"] }
      }[Predicate["op"]]
    : never
  : never
type Text<Value> = Value extends string ? string : Value

/** The members of every form, except those that only exclude another form. */
type Keys<T> = T extends unknown
  ? { [K in keyof T]-?: [Exclude<T[K], undefined>] extends [never] ? never : K }[keyof T]
  : never
