// The name of the organization in a page's structured data (schema.org in JSON-LD). What cannot be read
// names no one.

const organizationTypes =
  /^(?:https?:\/\/schema\.org\/)?(?:\w*Organization|Corporation|\w*Business|NGO|Brand)$/

export const organizationName = (json: string): string | undefined => {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return undefined
  }
  for (const node of nodesOf(value)) {
    const { "@type": type, name } = node
    const types = Array.isArray(type) ? type : [type]
    const isOrganization = types.some(
      (one) => typeof one === "string" && organizationTypes.test(one),
    )
    if (isOrganization && typeof name === "string" && name.trim() !== "") return name
  }
  return undefined
}

type Node = Readonly<Record<string, unknown>>

/** The objects of a document that may speak of its publisher: its own, those of its graph, theirs. */
const nodesOf = (value: unknown): ReadonlyArray<Node> => {
  const tops = listOf(value).flatMap((top) => [top, ...listOf(top["@graph"])])
  return tops.flatMap((node) => [node, ...listOf(node["publisher"]), ...listOf(node["author"])])
}

const listOf = (value: unknown): ReadonlyArray<Node> =>
  (Array.isArray(value) ? value : [value]).filter(
    (one): one is Node => typeof one === "object" && one !== null && !Array.isArray(one),
  )
