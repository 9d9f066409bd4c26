// Fields that several resources share.
import type { IDataObject, IExecuteFunctions, INodeProperties } from "n8n-workflow"

/** Shows a field for these operations of a resource. */
export const shownFor = (
  resource: string,
  ...operation: ReadonlyArray<string>
): NonNullable<INodeProperties["displayOptions"]> => ({
  show: { resource: [resource], operation: [...operation] },
})

/** "Return All" and "Limit". */
export const rowCount = (
  resource: string,
  ...operations: ReadonlyArray<string>
): INodeProperties[] => [
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    description: "Whether to return all results or only up to a given limit",
    displayOptions: shownFor(resource, ...operations),
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 50,
    description: "Max number of results to return",
    displayOptions: {
      show: { resource: [resource], operation: [...operations], returnAll: [false] },
    },
  },
]

/** Undefined for all. */
export const limitOf = (context: IExecuteFunctions, item: number): number | undefined =>
  context.getNodeParameter("returnAll", item)
    ? undefined
    : (context.getNodeParameter("limit", item) as number)

export const textOf = (context: IExecuteFunctions, name: string, item: number): string =>
  (context.getNodeParameter(name, item) as string).trim()

export const fieldsOf = (context: IExecuteFunctions, name: string, item: number): IDataObject =>
  context.getNodeParameter(name, item, {}) as IDataObject

/** Values separated by commas or lines. An expression may give an array. */
export const valuesIn = (given: unknown): Array<string> => {
  const texts = Array.isArray(given) ? given.map(String) : String(given).split(/[,\n]/)
  return texts.map((text) => text.trim()).filter((text) => text !== "")
}

export const valuesOf = (context: IExecuteFunctions, name: string, item: number): Array<string> =>
  valuesIn(context.getNodeParameter(name, item))

/** Runs one operation for one input item, and returns what it gives as objects. */
export type Operation = (context: IExecuteFunctions, item: number) => Promise<Array<IDataObject>>

export type Operations = Readonly<Record<string, Operation>>
