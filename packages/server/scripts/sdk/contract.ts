// What the generator reads of the contract besides its operations: the shapes of types.

import { nameOf, type Schema, schemas } from "../api-reference/contract.ts"

const byName = new Map(schemas)

export const schemaNamed = (name: string): Schema => {
  const schema = byName.get(name)
  if (schema === undefined) throw new Error(`The contract has no schema ${name}.`)
  return schema
}

export const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolved(schemaNamed(nameOf(schema.$ref)))

/** The items of a list; undefined for anything else. */
export const itemsOf = ({ items }: Schema): Schema | undefined => items || undefined

/** Without null, and whether it had it. */
export const withoutNull = (schema: Schema) => {
  const { anyOf, ...rest } = schema
  const others = anyOf?.filter(({ type }) => type !== "null") ?? []
  if (anyOf === undefined || others.length === anyOf.length) return { schema, isNullable: false }
  const only = others.length === 1 ? others[0] : { anyOf: others }
  return { schema: { ...only, ...rest }, isNullable: true }
}

/** The schema at a place such as `Pixel.settings.spa`: a member, or the member of the items of a list. */
export const schemaAt = (place: string): Schema => {
  const [name = "", ...path] = place.split(".")
  const itemOf = (given: Schema) => itemsOf(withoutNull(given).schema) ?? withoutNull(given).schema
  return path.reduce((schema, member) => {
    const inner = resolved(itemOf(schema)).properties?.[member]
    if (inner === undefined) throw new Error(`The contract has no ${place}.`)
    return itemOf(inner)
  }, schemaNamed(name))
}

/** What makes two schemas the same type. */
export const shapeOf = (schema: Schema): string =>
  schema.enum === undefined
    ? JSON.stringify(schema, (key, value) =>
        /^(min|max|desc|pattern|format)/.test(key) ? undefined : value,
      )
    : [...schema.enum].toSorted().join("|")
