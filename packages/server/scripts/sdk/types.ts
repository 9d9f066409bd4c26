// The types of one file: those its methods name, and those they name in turn. A type is declared in the first file that
// needs it; a type of an extension is imported from there.

import { readdirSync, readFileSync } from "node:fs"
import { nameOf, type Schema, schemaAt, schemaNamed, shapeOf, withoutNull } from "./contract.ts"
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
      const source = readFileSync(
        new URL(`../../../sdk/src/${folder}/${file}`, import.meta.url),
        "utf8",
      )
      return [...source.matchAll(/^export (?:interface|type) (\w+)/gm)].map(
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

export const comment = (text: string | undefined, indent = ""): string => {
  if (text === undefined || text === "") return ""
  const lines = [""]
  for (const word of text.replaceAll("*/", "* /").split(/\s+/)) {
    const last = lines.at(-1)!
    if (last !== "" && indent.length + 3 + last.length + word.length > 118) lines.push(word)
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`
  }
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`
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

  /** The name of a type that is made of members: parameters, and the `meta` of a list. */
  made(
    name: string,
    head: { readonly types: ReadonlyArray<string>; readonly base?: string },
    members: ReadonlyArray<Member>,
    direction: Direction,
  ): string {
    return this.#refer(name, () => {
      const body = `{\n${this.#members(members, direction, { of: name })}}`
      const others = head.types.map((type) => this.handWritten(type))
      const text = comment(this.#text(name, undefined))
      this.#declarations.push(
        others.length === 0
          ? `${text}export interface ${name}${head.base === undefined ? "" : ` extends ${this.handWritten(head.base)}`} ${body}\n`
          : `${text}export type ${name} = ${[...others, ...(members.length === 0 ? [] : [body])].join(" & ")}\n`,
      )
    })
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

  typeOf(given: Schema, direction: Direction, indent = ""): string {
    const { isNullable, schema } = withoutNull(given)
    return `${this.#typeOf(schema, direction, indent)}${isNullable ? " | null" : ""}`
  }

  #typeOf(schema: Schema, direction: Direction, indent: string): string {
    if (schema.$ref !== undefined) {
      const name = nameOf(schema)
      return this.#noun.inline?.includes(name)
        ? this.#literal(schemaNamed(name), direction, indent)
        : this.name(sdkName(name), schemaNamed(name), direction)
    }
    const named = this.#named.get(shapeOf(schema))
    if (named !== undefined)
      return this.name(named, places.has(named) ? schemaOf(named) : schema, direction)
    return this.#literal(schema, direction, indent)
  }

  /** Written out, without a name. */
  #literal(schema: Schema, direction: Direction, indent = ""): string {
    const { additionalProperties, anyOf, items, properties, type } = schema
    if (schema.enum !== undefined)
      return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
    if (anyOf !== undefined) return this.#union(anyOf, direction, indent)
    if (items !== undefined) return `ReadonlyArray<${this.typeOf(items, direction, indent)}>`
    if (type === "integer") return "number"
    if (type !== "object") return type ?? "unknown"
    if (properties !== undefined)
      return `{\n${this.#members(membersOf(schema), direction, { indent: `${indent}  ` })}${indent}}`
    const value =
      typeof additionalProperties === "object"
        ? this.typeOf(additionalProperties, direction, indent)
        : "unknown"
    return `Readonly<Record<string, ${value}>>`
  }

  /** Of objects, so that a member of one excludes those of the others. */
  #union(all: ReadonlyArray<Schema>, direction: Direction, indent: string): string {
    const keys = new Set(all.flatMap(({ properties = {} }) => Object.keys(properties)))
    return all
      .map((one) => {
        const { properties } = one
        if (properties === undefined) return this.typeOf(one, direction, indent)
        const others = [...keys].filter((key) => !Object.hasOwn(properties, key))
        return `{\n${this.#members(membersOf(one), direction, { indent: `${indent}  ` })}${others.map((key) => `${indent}  readonly ${key}?: undefined\n`).join("")}${indent}}`
      })
      .join(" | ")
  }

  #members(
    members: ReadonlyArray<Member>,
    direction: Direction,
    { indent = "  ", of = "" }: { readonly indent?: string; readonly of?: string },
  ): string {
    return members
      .filter(({ name }) => !this.#noun.without?.[of]?.includes(name))
      .map(({ description = "", isRequired, name, schema }) => {
        const isOld = this.#noun.deprecated?.includes(name)
        const text = withRange(description === "" ? schema.description : description, schema)
        const type = this.#stricter(`${of}.${name}`) ?? this.typeOf(schema, direction, indent)
        const end = !isRequired && direction === "sent" ? " | undefined" : ""
        return `${comment(isOld ? `@deprecated ${text}` : text, indent)}${indent}readonly ${name}${isRequired ? "" : "?"}: ${type}${end}\n`
      })
      .join("")
  }

  /** With the types by hand that it names. */
  #stricter(member: string): string | undefined {
    const type = this.#noun.stricter?.[member]
    for (const [name] of type?.matchAll(/\b[A-Z]\w+/g) ?? [])
      if (byHand.has(name)) this.handWritten(name)
    return type
  }

  #text(name: string, description: string | undefined): string | undefined {
    return this.#noun.texts?.[name] ?? description
  }

  #declare(name: string, schema: Schema, direction: Direction): void {
    const text = comment(this.#text(name, schema.description))
    if (schema.properties === undefined) {
      this.#declarations.push(`${text}export type ${name} = ${this.#literal(schema, direction)}\n`)
      return
    }
    const base = this.#noun.extends?.[name]
    const inherited = base === undefined ? {} : this.#inherited(name, schema, base)
    const own = membersOf(schema).filter((member) => !Object.hasOwn(inherited, member.name))
    this.#declarations.push(
      `${text}export interface ${name}${base === undefined ? "" : ` extends ${base}`} {\n${this.#members(own, direction, { of: name })}}\n`,
    )
  }

  /** The members of the type that another extends. They must be the same. */
  #inherited(
    name: string,
    { properties = {} }: Schema,
    base: string,
  ): Readonly<Record<string, Schema>> {
    this.also(base)
    const inherited = schemaOf(base).properties ?? {}
    for (const [member, schema] of Object.entries(inherited)) {
      const own = properties[member]
      if (own === undefined || shapeOf(own) !== shapeOf(schema))
        throw new Error(`${name} can't extend ${base}: ${member} differs.`)
    }
    return inherited
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
