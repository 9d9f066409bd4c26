// The descriptions of an OpenAPI document where people and generators look for them. The library puts those of
// keys into an `allOf` of their own beside the schema.

/** The same document, with each description a member of what it describes. */
export const flatDescriptions = <Value>(value: Value): Value => {
  if (Array.isArray(value)) return value.map(flatDescriptions) as Value // of the same form
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).map(([name, inner]) => [name, flatDescriptions(inner)])
  return flat(Object.fromEntries(members)) as Value // of the same form
}

interface Part {
  readonly allOf?: ReadonlyArray<Part>
  readonly description?: unknown
  readonly $ref?: unknown
}

const flat = ({ allOf, ...schema }: Part): Part => {
  if (!Array.isArray(allOf)) return allOf === undefined ? schema : { ...schema, allOf }
  const parts = allOf as ReadonlyArray<Part>
  const said = parts.find(isDescription)
  const others = parts.filter((part) => !isDescription(part))
  const described = said === undefined ? schema : { ...said, ...schema }
  const [only, ...more] = others
  if (only === undefined) return described
  return more.length === 0 && only.$ref !== undefined && isDescription(described)
    ? { ...only, ...described }
    : { ...described, allOf: others }
}

const isDescription = (part: object): boolean =>
  Object.keys(part).length === 1 && "description" in part
