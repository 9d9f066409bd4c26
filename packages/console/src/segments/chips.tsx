// The conditions of a list as chips: each opens to be changed, and has a button that removes it. A rule with groups is one
// chip, which opens the page of the rule.
import type { RuleAst } from "@footfall/sdk"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import { Button } from "../ui/button.tsx"
import { Combobox, type ComboOption } from "../ui/combobox.tsx"
import { Icon } from "../ui/icon.tsx"
import { isPlain, useKeys } from "../ui/keys.ts"
import {
  type Condition,
  conditionCount,
  type Draft,
  draftOf,
  isGroup,
  newCondition,
  NoRule,
  ruleOf,
  withField,
} from "./draft.ts"
import { fieldOf, fields, operatorOf } from "./fields.ts"
import { ConditionRow } from "./group.tsx"
import { useNamed, useSuggestions } from "./suggestions.ts"
import "./segments.css"

interface FilterChipsProps {
  readonly rule: RuleAst | undefined
  /** Undefined removes the last condition. */
  readonly onRule: (rule: RuleAst | undefined) => void
  /** Where a rule with groups is edited. */
  readonly rulePath: string
}

export const FilterChips = ({ onRule, rule, rulePath }: FilterChipsProps) => {
  const [edited, setEdited] = useState<Condition | "new" | null>(null)
  const adder = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setEdited(null)
    adder.current?.focus()
  }
  useKeys((event) => {
    if (event.key !== "f" || !isPlain(event)) return
    event.preventDefault()
    setEdited("new")
  })
  // Its nodes keep their ids as long as the rule stays the same.
  const text = JSON.stringify(rule)
  const draft = useMemo(() => draftOfText(text), [text])
  const { nodes } = draft.rule
  const isFlat = (draft.rule.mode === "all" || nodes.length < 2) && !nodes.some(isGroup)
  const conditions = isFlat
    ? nodes.flatMap((node): ReadonlyArray<Condition> => (isGroup(node) ? [] : [node]))
    : []
  const apply = (next: ReadonlyArray<Condition>): void => {
    onRule(
      next.length === 0
        ? undefined
        : ruleOf({ ...draft, rule: { ...draft.rule, mode: "all", nodes: next } }),
    )
  }
  const save = (condition: Condition): void => {
    const isKnown = conditions.some(({ id }) => id === condition.id)
    apply(
      isKnown
        ? conditions.map((each) => (each.id === condition.id ? condition : each))
        : [...conditions, condition],
    )
    close()
  }
  return (
    <>
      {!isFlat && (
        <Link className="filter-chip" to={rulePath} search={{ rule }}>
          <span className="v">{conditionCount(draft.rule)} conditions</span>
        </Link>
      )}
      {conditions.map((condition) => (
        <Chip
          key={condition.id}
          condition={condition}
          onEdit={() => setEdited(condition)}
          onRemove={() => apply(conditions.filter(({ id }) => id !== condition.id))}
        />
      ))}
      {isFlat && (
        <span className="anchor">
          <Button
            ref={adder}
            className="dashed small"
            aria-haspopup="dialog"
            aria-expanded={edited !== null}
            onClick={() => setEdited(edited === null ? "new" : null)}
          >
            <Icon name="plus" size={12} /> Filter <kbd aria-hidden="true">F</kbd>
          </Button>
          {edited !== null && (
            <Menu label="Filter" onClose={close}>
              {edited === "new" ? (
                <FieldChoice
                  onField={(field) => setEdited(withField(newCondition(), field))}
                  onClose={close}
                />
              ) : (
                <Editor
                  key={edited.id}
                  condition={edited}
                  window={draft.window}
                  onSave={save}
                  onClose={close}
                />
              )}
            </Menu>
          )}
        </span>
      )}
    </>
  )
}

const emptyDraft: Draft = { window: "30d", rule: { id: "none", mode: "all", nodes: [] } }

/** A view may have fields that this console does not know. Its page says so. */
const draftOfText = (text: string | undefined): Draft => {
  if (text === undefined) return emptyDraft
  try {
    return draftOf(JSON.parse(text))
  } catch (error) {
    if (error instanceof NoRule) return emptyDraft
    throw error
  }
}

/** What they did comes before who they are; groups with other names follow. */
const groupOrder = ["Visits", "Intent", "Person", "Company"]

/** In the groups of their titles, such as `Visits: pages`. */
const fieldOptions = (customFields: ReadonlyArray<string>): ReadonlyArray<ComboOption> => {
  const custom = customFields.flatMap((name) => fieldOf(name) ?? [])
  const options = [...fields, ...custom].map(({ field, title }) => {
    const [group = "", ...rest] = title.split(": ")
    return { value: field, group, text: capital(rest.join(": ")) }
  })
  const rank = (group: string): number =>
    groupOrder.includes(group) ? groupOrder.indexOf(group) : groupOrder.length
  return options.toSorted((a, b) => rank(a.group) - rank(b.group))
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

interface FieldChoiceProps {
  readonly onField: (field: string) => void
  readonly onClose: () => void
}

/** The suggestions load when it opens. */
const FieldChoice = ({ onClose, onField }: FieldChoiceProps) => (
  <Combobox
    label="What to filter by"
    placeholder="Page, topic, job, country …"
    options={fieldOptions(useSuggestions().customFields)}
    onChoose={onField}
    onClose={onClose}
  />
)

interface ChipProps {
  readonly condition: Condition
  readonly onEdit: () => void
  readonly onRemove: () => void
}

/** Values shown in a chip. */
const shownMax = 3

const Chip = ({ condition, onEdit, onRemove }: ChipProps) => {
  const namedOf = useNamed()
  const { field, of, op, values } = condition
  const known = fieldOf(field)
  const title = capital(known?.title.replace(/^[^:]+: /, "") ?? field)
  const operator = operatorOf(known?.kind ?? "text", op)
  const names = new Map(namedOf(field).map(({ text, value }) => [value, text]))
  const texts = values.filter((value) => value !== "").map((value) => names.get(value) ?? value)
  const shown =
    operator?.takes === "yes"
      ? texts[0] === "false"
        ? "no"
        : "yes"
      : operator?.takes === "duration"
        ? `${texts[0]} ${texts[1] === "h" ? "hours" : "days"}`
        : texts.length > shownMax
          ? `${texts.slice(0, shownMax).join(", ")} and ${texts.length - shownMax} more`
          : texts.join(operator?.takes === "two" ? " to " : ", ")
  return (
    <span className="filter-chip" role="group" aria-label={`Filter by ${title}`}>
      <button type="button" onClick={onEdit}>
        <span className="f cut">{[title, of].filter((text) => text !== "").join(" ")}</span>
        <span className="op">{operator?.words ?? op}</span>
        <span className="v cut">{shown}</span>
      </button>
      <button
        type="button"
        className="x"
        aria-label={`Remove the filter ${title}`}
        onClick={onRemove}
      >
        <Icon name="x" size={12} />
      </button>
    </span>
  )
}

interface EditorProps {
  readonly condition: Condition
  readonly window: Draft["window"]
  readonly onSave: (condition: Condition) => void
  readonly onClose: () => void
}

const Editor = ({ condition: given, onClose, onSave, window }: EditorProps) => {
  const suggestions = { ...useSuggestions(), fields }
  const [condition, setCondition] = useState(given)
  const isComplete =
    ruleOf({ window, rule: { id: "one", mode: "all", nodes: [condition] } }) !== undefined
  return (
    <form
      className="filter-editor"
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete) onSave(condition)
      }}
    >
      <ConditionRow
        condition={condition}
        suggestions={suggestions}
        onChange={setCondition}
        onRemove={undefined}
      />
      <div className="row">
        <Button kind="primary" type="submit" className="small" disabled={!isComplete}>
          Apply
        </Button>
        <Button className="small" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

interface MenuProps {
  readonly label: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Floats below its button. Escape and a click beside it close it. */
const Menu = ({ children, label, onClose }: MenuProps) => {
  const menu = useRef<HTMLDivElement>(null)
  // Beside the right edge it opens to the left.
  useLayoutEffect(() => {
    const element = menu.current
    if (element === null) return
    element.dataset["side"] = element.getBoundingClientRect().right > innerWidth ? "left" : "right"
  }, [])
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent): void => {
      const anchor = menu.current?.closest(".anchor")
      if (target instanceof Node && anchor?.contains(target) === false) onClose()
    }
    addEventListener("pointerdown", onPointerDown)
    return () => removeEventListener("pointerdown", onPointerDown)
  }, [onClose])
  return (
    <div
      ref={menu}
      className="menu"
      role="dialog"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.stopPropagation()
        event.preventDefault()
        onClose()
      }}
    >
      {children}
    </div>
  )
}
