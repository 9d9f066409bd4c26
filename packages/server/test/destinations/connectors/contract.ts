// Validates requests by the OpenAPI documents of the services, trimmed to the operations that the connectors use
// (contracts/). What a document doesn't have is an error: an operation, a parameter, a property, a type.
import { Ajv2020, type AnySchema, type ValidateFunction } from "ajv/dist/2020.js"
import { readFileSync } from "node:fs"

type Schema = Readonly<Record<string, unknown>>

interface Operation {
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: "path" | "query"
    readonly required?: boolean
    readonly schema: Schema
  }>
  readonly body?: Schema
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export interface ContractRequest {
  readonly method: string
  /** Without the path of the API. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
}

/** A request as the contract names it. */
export interface Matched {
  /** Method and path template. */
  readonly operation: string
  readonly params: Readonly<Record<string, string>>
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
const ofTexts = new Ajv2020({ strict: false, coerceTypes: "array", validateFormats: false })

/** An object accepts only what it names, unless it says otherwise. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== "object" || schema === null) return schema
  const { properties, ...rest } = schema as Record<string, unknown>
  const others = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, closed(one)]))
  if (typeof properties !== "object" || properties === null) return others
  const named = Object.entries(properties)
  return {
    ...(named.length > 0 && { additionalProperties: false }),
    ...others,
    properties: Object.fromEntries(named.map(([name, one]) => [name, closed(one)])),
  }
}

export const readContract = (service: string) => {
  const file = new URL(`contracts/${service}.json`, import.meta.url)
  const { paths } = JSON.parse(readFileSync(file, "utf8")) as Contract
  const operations = Object.entries(paths).flatMap(([template, byMethod]) => {
    const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)
    const pattern = new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "([^/]+)")}/?$`)
    return Object.entries(byMethod).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${template}`,
      method: method.toUpperCase(),
      pattern,
      names,
      operation,
      body:
        operation.body === undefined
          ? undefined
          : (ajv.compile(closed(operation.body) as AnySchema) as ValidateFunction),
    }))
  })

  /** Throws if the contract doesn't allow the request. */
  return ({ body, method, path, query }: ContractRequest): Matched => {
    const found = operations
      .filter((one) => one.method === method && one.pattern.test(path))
      // `/persons/search` before `/persons/{id}`.
      .toSorted((one, other) => one.names.length - other.names.length)[0]
    if (found === undefined) throw new Error(`no operation ${method} ${path}`)
    const values = found.pattern.exec(path)!.slice(1).map(decodeURIComponent)
    const params = Object.fromEntries(found.names.map((name, place) => [name, values[place]!]))
    const { parameters } = found.operation
    const known = new Map(parameters.map((one) => [`${one.in} ${one.name}`, one]))
    const check = (place: string, name: string, value: string) => {
      const parameter = known.get(`${place} ${name}`)
      if (parameter === undefined) throw new Error(`${found.name} has no ${place} ${name}`)
      const one = { type: "object", properties: { value: parameter.schema } }
      if (!ofTexts.validate(one, { value })) {
        throw new Error(`${found.name}, ${name}: ${ofTexts.errorsText()}`)
      }
    }
    for (const [name, value] of Object.entries(params)) {
      if (known.has(`path ${name}`)) check("path", name, value)
    }
    for (const [name, value] of query) check("query", name, value)
    for (const { in: place, name, required } of parameters) {
      if (place === "query" && required === true && !query.has(name)) {
        throw new Error(`${found.name} requires ${name}`)
      }
    }
    if (found.body === undefined && body !== undefined) {
      throw new Error(`${found.name} has no body`)
    }
    if (found.body !== undefined && !found.body(body)) {
      throw new Error(`${found.name}: ${ajv.errorsText(found.body.errors)}`)
    }
    return { operation: found.name, params }
  }
}
