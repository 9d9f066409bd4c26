// What an import would do, and what stands in its way (spec 1.1.7). Pure.
import { isMost, isOfOtherTypes } from "@footfall/normal-form/reading"
import { type RuleCounts, type RuleType, ruleTypes, totalOf } from "../suppression/rule.ts"
import type { FileFigures } from "./import-file.ts"

/** What can be imported. */
export const importKinds = ["suppression-rules", "lists"] as const
export type ImportKindName = (typeof importKinds)[number]

/** `add`: the values of the file are added. `replace`: the list becomes the file. `remove`: they are removed. */
export const importModes = ["add", "replace", "remove"] as const
export type ImportMode = (typeof importModes)[number]

/**
 * `empty`: a file has no rows. `no_rules`: its rows hold no rule. `other_types`: the file has other types than the list.
 * `most`: more than half of a long list would be removed.
 */
export const guardReasons = ["empty", "no_rules", "other_types", "most"] as const

export interface Guard {
  readonly reason: (typeof guardReasons)[number]
  /** Rules that would be removed, and rules of the compared types. */
  readonly removals: number
  readonly present: number
}

export interface Changes {
  /** Distinct rules in the files. */
  readonly inFile: RuleCounts
  readonly new: RuleCounts
  readonly removed: RuleCounts
  /** Stored rules. */
  readonly stored: RuleCounts
}

/** Null if nothing stands in its way. */
export const guardOf = (
  mode: ImportMode,
  types: ReadonlyArray<RuleType> | null,
  files: ReadonlyArray<FileFigures>,
  { inFile, removed, stored }: Changes,
): Guard | null => {
  const compared = types ?? ruleTypes
  const present = compared.reduce((sum, type) => sum + stored[type], 0)
  const removals = totalOf(removed)
  const guard = (reason: Guard["reason"]): Guard => ({ reason, removals, present })
  if (mode !== "remove" && files.some(({ rows }) => rows === 0)) return guard("empty")
  if (mode === "add") return null
  if (mode === "replace") {
    if (totalOf(inFile) === 0) return guard("no_rules")
    const ofTypes = Object.fromEntries(
      ruleTypes.map((type) => [type, compared.includes(type) ? stored[type] : 0]),
    ) as unknown as RuleCounts // one entry for each type
    if (removals > 0 && isOfOtherTypes(inFile, ofTypes)) return guard("other_types")
  }
  return isMost({ removals, present }) ? guard("most") : null
}

export interface Allowed {
  readonly allowRemovals?: number | undefined
  readonly allowEmpty?: boolean | undefined
}

/** Whether the request allows what the guard stands in the way of. */
export const isAllowed = (
  guard: Guard | null,
  removals: number,
  { allowEmpty, allowRemovals }: Allowed,
): boolean => {
  if (allowRemovals !== undefined && removals > allowRemovals) return false
  if (guard === null) return true
  if (guard.reason === "empty") return allowEmpty === true
  return guard.reason !== "no_rules" && allowRemovals !== undefined
}
