// The types of one file: those its methods name, and those they name in turn. A type is declared in the first file that
// needs it; a type of an extension is imported from there.

import { readdirSync, readFileSync } from "node:fs"
import { nameOf, type Schema } from "../api-reference/contract.ts"
import { itemsOf, schemaAt, schemaNamed, shapeOf, withoutNull } from "./contract.ts"
import { names, type Noun, places, shared } from "./nouns.ts"

/** In the header of every file that is generated. */
export const generated = "Generated from the server's contract"

/** Sent: a member may also be undefined. */
export type Direction = "sent" | "received"

export interface Member {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly description?: string | undefined
}

/** The file of each type written by hand. */
const byHand: ReadonlyMap<string, string> = new Map(
  ["extensions", "errors"].flatMap((folder) =>
    readdirSync(new URL(`../../../sdk/src/${folder}`, import.meta.url)).flatMap((file) => {
      const at = new URL(`../../../sdk/src/${folder}/${file}`, import.meta.url)
      return [...readFileSync(at, "utf8").matchAll(/^export (?:interface|type) (\w+)/gm)].map(
        ([, name = ""]) => [name, `../${folder}/${file}`] as const,
      )
    }),
  ),
)

const contractNames = new Map([...names].map(([contract, name]) => [name, contract]))

const sdkName = (name: string): string =>
  names.get(name) ??
  (/^New[A-Z]/.test(name)
    ? `${name.slice(3)}CreateParams`
    : name.replace(/Change$/, "UpdateParams").replace(/_\d+$/, ""))

/** The schema of a type; of a response, that of its data. */
const schemaOf = (name: string): Schema => {
  const place = places.get(name)
  if (place !== undefined) return schemaAt(place)
  const schema = schemaNamed(contractNames.get(name) ?? name)
  const { data, meta } = schema.properties ?? {}
  if (data === undefined || meta === undefined) return schema
  const { description: _, ...unnamed } = data
  return {
    ...unnamed,
    ...(schema.description !== undefined && { description: schema.description }),
  }
}

/** The file that declares each type. */
const owners = new Map<string, string>()

/** A docstring. */
export const comment = (text: string | undefined): string => {
  const lines = text?.replaceAll("*/", "* /").match(/\S.{0,112}(?= |$)|\S+/g) ?? []
  if (lines.length < 2) return lines.map((line) => `/** ${line} */\n`).join("")
  return `/**\n${lines.map((line) => ` * ${line}\n`).join("")} */\n`
}

/** With the smallest and the largest number, if the text has no such figure. */
const withRange = (text: string | undefined, { maximum, minimum }: Schema): string | undefined =>
  text === undefined || minimum === undefined || maximum === undefined || /\d,?\d* to \d/.test(text)
    ? text
    : `${text} From ${minimum} to ${maximum.toLocaleString("en")}.`

export class FileTypes {
  readonly #file: string
  readonly #noun: Noun
  readonly #declarations: Array<string> = []
  readonly #left: Array<() => void> = []
  /** The names of each module. */
  readonly #imports = new Map<string, Set<string>>()
  /** The names of types that have none in the contract, by their shape. */
  readonly #named: ReadonlyMap<string, string>

  constructor(file: string, noun: Noun) {
    this.#file = file
    this.#noun = noun
    const known = [
      ...Object.entries(shared),
      ...Object.entries(noun.types ?? {}),
      ...[...places].filter(([name]) => noun.uses?.includes(name)),
    ]
    this.#named = new Map(known.map(([name, place]) => [shapeOf(schemaAt(place)), name]))
  }

  import(name: string, module: string): void {
    this.#imports.set(module, (this.#imports.get(module) ?? new Set()).add(name))
  }

  /** The name of a type, which is declared or imported. */
  name(name: string, schema: Schema, direction: Direction): string {
    return this.#refer(name, () => this.#declare(name, schema, direction))
  }

  /** Declares a type of the contract that no method names. */
  also(name: string): void {
    this.name(name, schemaOf(name), "received")
  }

  /** Whether the shape has a name of its own. */
  isNamed(schema: Schema): boolean {
    return this.#named.has(shapeOf(schema))
  }

  /** The name of a type that an extension exports. */
  handWritten(name: string): string {
    return this.#refer(name, () => {
      throw new Error(`No extension exports ${name}.`)
    })
  }

  /** The name of a type that is made of members, besides those of types by hand. */
  made(
    name: string,
    { base, types = [] }: { readonly types?: ReadonlyArray<string>; readonly base?: string },
    members: ReadonlyArray<Member>,
    direction: Direction,
  ): string {
    return this.#refer(name, () => {
      const others = types.map((type) => this.handWritten(type))
      const body = this.#members(members, direction, name)
      if (others.length === 0)
        this.#interface(name, base === undefined ? undefined : this.handWritten(base), body)
      else this.#alias(name, [...others, ...(members.length === 0 ? [] : [body])].join(" & "))
    })
  }

  #interface(name: string, base: string | undefined, body: string, text?: string): void {
    const head = base === undefined ? name : `${name} extends ${base}`
    this.#declarations.push(
      `${comment(this.#noun.texts?.[name] ?? text)}export interface ${head} ${body}\n`,
    )
  }

  #alias(name: string, type: string, text?: string): void {
    this.#declarations.push(
      `${comment(this.#noun.texts?.[name] ?? text)}export type ${name} = ${type}\n`,
    )
  }

  #refer(name: string, declare: () => void): string {
    const extension = byHand.get(name)
    if (extension !== undefined) {
      this.import(name, extension)
      return name
    }
    const owner = owners.get(name)
    if (owner === undefined) {
      owners.set(name, this.#file)
      this.#left.push(declare)
    } else if (owner !== this.#file) this.import(name, `./${owner}.ts`)
    return name
  }

  typeOf(given: Schema, direction: Direction): string {
    const { isNullable, schema } = withoutNull(given)
    return `${this.#typeOf(schema, direction)}${isNullable ? " | null" : ""}`
  }

  #typeOf(schema: Schema, direction: Direction): string {
    if (schema.$ref !== undefined) {
      const name = nameOf(schema.$ref)
      return this.#noun.inline?.includes(name)
        ? this.#literal(schemaNamed(name), direction)
        : this.name(sdkName(name), schemaNamed(name), direction)
    }
    const named = this.#named.get(shapeOf(schema))
    return named === undefined
      ? this.#literal(schema, direction)
      : this.name(named, places.has(named) ? schemaOf(named) : schema, direction)
  }

  /** Written out, without a name. */
  #literal(schema: Schema, direction: Direction): string {
    const { additionalProperties, anyOf, properties, type } = schema
    const items = itemsOf(schema)
    if (schema.enum !== undefined)
      return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
    if (anyOf !== undefined) return this.#union(anyOf, direction)
    if (items !== undefined) return `ReadonlyArray<${this.typeOf(items, direction)}>`
    if (type === "integer") return "number"
    if (type !== "object") return String(type ?? "unknown")
    if (properties !== undefined) return this.#members(membersOf(schema), direction)
    const value = typeof additionalProperties === "object" ? additionalProperties : {}
    return `Readonly<Record<string, ${this.typeOf(value, direction)}>>`
  }

  /** Of objects, so that a member of one excludes those of the others. */
  #union(all: ReadonlyArray<Schema>, direction: Direction): string {
    const keys = new Set(all.flatMap(({ properties = {} }) => Object.keys(properties)))
    return all
      .map((one) => {
        if (one.properties === undefined) return this.typeOf(one, direction)
        const others = [...keys].filter((key) => !Object.hasOwn(one.properties!, key))
        const absent = others.map((key) => `readonly ${key}?: undefined\n`).join("")
        return this.#members(membersOf(one), direction).replace(/\}$/, `${absent}}`)
      })
      .join(" | ")
  }

  #members(members: ReadonlyArray<Member>, direction: Direction, of = ""): string {
    const lines = members
      .filter(({ name }) => !this.#noun.without?.[of]?.includes(name))
      .map(({ description, isRequired, name, schema }) => {
        const text = withRange(description ?? schema.description, schema)
        const isOld = this.#noun.deprecated?.includes(name)
        const type = this.#stricter(`${of}.${name}`) ?? this.typeOf(schema, direction)
        const end = !isRequired && direction === "sent" ? " | undefined" : ""
        return `${comment(isOld ? `@deprecated ${text}` : text)}readonly ${keyOf(name)}${isRequired ? "" : "?"}: ${type}${end}\n`
      })
    return `{\n${lines.join("")}}`
  }

  /** With the types by hand that it names. */
  #stricter(member: string): string | undefined {
    const type = this.#noun.stricter?.[member]
    for (const [name] of type?.matchAll(/\b[A-Z]\w+/g) ?? [])
      if (byHand.has(name)) this.handWritten(name)
    return type
  }

  #declare(name: string, schema: Schema, direction: Direction): void {
    const { description, properties } = schema
    if (properties === undefined)
      return this.#alias(name, this.#literal(schema, direction), description)
    const base = this.#noun.extends?.[name]
    if (base !== undefined) this.also(base)
    const inherited = base === undefined ? {} : (schemaOf(base).properties ?? {})
    for (const [member, one] of Object.entries(inherited))
      if (properties[member] === undefined || shapeOf(properties[member]) !== shapeOf(one))
        throw new Error(`${name} can't extend ${base}: ${member} differs.`)
    const own = membersOf(schema).filter((member) => !Object.hasOwn(inherited, member.name))
    this.#interface(name, base, this.#members(own, direction, name), description)
  }

  /** Every type that was named, in that order. Declaring one may name others. */
  declarations(): string {
    for (let next = this.#left.shift(); next !== undefined; next = this.#left.shift()) next()
    return this.#declarations.join("\n")
  }

  imports(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#imports
  }
}

export const membersOf = ({ properties = {}, required = [] }: Schema): ReadonlyArray<Member> =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
  }))

/** The name of a response's data that the contract names only together with the response. */
export const answerName = (answer: string): string =>
  names.get(answer) ?? sdkName(answer.replace(/Answer$/, ""))

/** A name that can't stand alone, such as `24h`, in quotes. */
const keyOf = (name: string): string =>
  /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)
