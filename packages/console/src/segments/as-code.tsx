// The rule as code: editable JSON, and snippets for a terminal or a program.
import type { RuleAst } from "@footfall/sdk"
import { useState } from "react"
import { AreaField } from "../ui/field.tsx"
import { Snippet } from "../ui/copy.tsx"
import { draftOf, NoRule, type Draft } from "./draft.ts"

interface JsonProps {
  readonly rule: RuleAst | undefined
  readonly onDraft: (draft: Draft) => void
}

/** Typed text applies as soon as it's a valid rule. */
export const AsJson = ({ rule, onDraft }: JsonProps) => {
  const [text, setText] = useState(() => JSON.stringify(rule ?? null, null, 2))
  const [wrong, setWrong] = useState<string | undefined>(
    rule === undefined ? "A condition of the rule is unfinished." : undefined,
  )
  const read = (typed: string): void => {
    setText(typed)
    try {
      onDraft(draftOf(JSON.parse(typed)))
      setWrong(undefined)
    } catch (error) {
      if (error instanceof NoRule) setWrong(error.message)
      else if (error instanceof SyntaxError) setWrong("This is not JSON yet.")
      else throw error
    }
  }
  return <AreaField label="The rule as JSON" value={text} onValue={read} wrong={wrong} />
}

export const AsLines = ({ rule }: { readonly rule: RuleAst | undefined }) => {
  if (rule === undefined) return <p className="soft">Finish every condition to see the lines.</p>
  const json = JSON.stringify(rule)
  return (
    <>
      <h2>On the command line</h2>
      <Snippet label="command" text={`footfall visitors query --all --rule ${quoted(json)}`} />
      <h2>In a program</h2>
      <Snippet
        label="program"
        text={`const people = footfall.visitors.query({ ruleAst: ${json} })\nfor await (const person of people) console.log(person.email)`}
      />
    </>
  )
}

/** Quotes for a shell. Inside single quotes only the quote itself needs escaping. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
