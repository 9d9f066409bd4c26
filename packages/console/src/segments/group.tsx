// A group of conditions and nested groups. Either all must match or any.
import { useId, useState } from "react"
import { Button } from "../ui/button.tsx"
import { type Choice, ChoiceField } from "../ui/field.tsx"
import {
  changed,
  type Condition,
  conditionsMax,
  type Group,
  groupsDeepMax,
  isGroup,
  newCondition,
  newGroup,
  withField,
  withOperator,
} from "./draft.ts"
import { type Field, fieldOf, fieldTyped, operatorOf, operatorsOf } from "./fields.ts"
import { Value } from "./value.tsx"

interface GroupProps {
  readonly group: Group
  /** 1 for the outermost group. */
  readonly depth: number
  /** Number of conditions in the whole rule. */
  readonly count: number
  readonly suggestions: Suggestions
  readonly onChange: (group: Group) => void
  readonly onRemove: (() => void) | undefined
}

export const GroupBox = ({ group, depth, count, suggestions, onChange, onRemove }: GroupProps) => {
  const { mode, nodes } = group
  const isFull = count >= conditionsMax
  const remove = (id: string) => onChange(changed(group, id, () => null))
  return (
    <fieldset className="rule-group" data-depth={depth % 2}>
      <legend className="row">
        <ChoiceField
          label="How many must match"
          isCompact
          choices={[
            { value: "all", text: "All of" },
            { value: "any", text: "Any of" },
          ]}
          value={mode}
          onValue={(next) => onChange({ ...group, mode: next })}
        />
        {onRemove !== undefined && (
          <Button kind="plain" className="small" aria-label="Remove this group" onClick={onRemove}>
            ✕
          </Button>
        )}
      </legend>
      {nodes.map((node) =>
        isGroup(node) ? (
          <GroupBox
            key={node.id}
            group={node}
            depth={depth + 1}
            count={count}
            suggestions={suggestions}
            onChange={(next) => onChange(changed(group, node.id, () => next))}
            onRemove={nodes.length > 1 || depth > 1 ? () => remove(node.id) : undefined}
          />
        ) : (
          <ConditionRow
            key={node.id}
            condition={node}
            suggestions={suggestions}
            onChange={(next) => onChange(changed(group, node.id, () => next))}
            onRemove={
              nodes.length > 1 || onRemove !== undefined
                ? () => (nodes.length > 1 ? remove(node.id) : onRemove?.())
                : undefined
            }
          />
        ),
      )}
      <div className="row">
        <Button
          className="small"
          disabled={isFull}
          onClick={() => onChange({ ...group, nodes: [...nodes, newCondition()] })}
        >
          + Condition
        </Button>
        {depth < groupsDeepMax && (
          <Button
            className="small"
            disabled={isFull}
            onClick={() => onChange({ ...group, nodes: [...nodes, newGroup()] })}
          >
            + Group
          </Button>
        )}
        {isFull && (
          <span className="soft small">A rule can have at most {conditionsMax} conditions.</span>
        )}
      </div>
    </fieldset>
  )
}

// One condition: a field, an operator and a value.
interface Suggestions {
  /** Names by id. */
  readonly topics: ReadonlyMap<number, string>
  /** Those that the rule may have. */
  readonly fields: ReadonlyArray<Field>
  readonly valuesOf: (field: string) => ReadonlyArray<string>
  readonly namedOf: (field: string) => ReadonlyArray<Choice<string>>
  readonly customFields: ReadonlyArray<string>
}

interface ConditionProps {
  readonly condition: Condition
  readonly suggestions: Suggestions
  readonly onChange: (condition: Condition) => void
  /** Undefined for the last remaining condition. */
  readonly onRemove: (() => void) | undefined
}

export const ConditionRow = ({ condition, suggestions, onChange, onRemove }: ConditionProps) => {
  const field = fieldOf(condition.field)
  const kind = field?.kind ?? "text"
  const title = field?.title ?? condition.field
  const operator = operatorOf(kind, condition.op)
  const topicsId = useId()
  const needsTopics = kind === "numbers" || field?.of?.isTopic === true
  return (
    <div className="condition" role="group" aria-label={title}>
      <FieldChoice
        title={title}
        fields={suggestions.fields}
        customFields={suggestions.customFields}
        onField={(chosen) => onChange(withField(condition, chosen))}
      />
      {field?.of !== undefined && (
        <input
          className="input"
          aria-label={field.of.label}
          placeholder={field.of.example}
          maxLength={500}
          list={field.of.isTopic === true ? topicsId : undefined}
          value={condition.of}
          onChange={(event) => onChange({ ...condition, of: event.target.value })}
        />
      )}
      <ChoiceField
        label="Operator"
        isCompact
        choices={operatorsOf[kind].map(({ op, words }) => ({ value: op, text: words }))}
        value={condition.op}
        onValue={(op) => onChange(withOperator(condition, op))}
      />
      <Value
        takes={operator?.takes ?? "one"}
        isNumber={kind === "number" || operator?.takes === "number"}
        values={condition.values}
        suggested={suggestions.valuesOf(condition.field)}
        named={suggestions.namedOf(condition.field)}
        topics={topicsId}
        onValues={(values) => onChange({ ...condition, values })}
      />
      {needsTopics && (
        <datalist id={topicsId}>
          {Array.from(suggestions.topics, ([topicId, name]) => (
            <option key={topicId} value={topicId} label={name} />
          ))}
        </datalist>
      )}
      <Button
        kind="plain"
        className="small"
        aria-label={`Remove ${title}`}
        disabled={onRemove === undefined}
        onClick={onRemove}
      >
        ✕
      </Button>
    </div>
  )
}

interface FieldChoiceProps {
  readonly title: string
  readonly fields: ReadonlyArray<Field>
  readonly customFields: ReadonlyArray<string>
  readonly onField: (field: string) => void
}

/** Typing searches the titles. The text applies once it matches a title; until then the previous field stays. */
const FieldChoice = ({ title, fields, customFields, onField }: FieldChoiceProps) => {
  const id = useId()
  const [text, setText] = useState(title)
  return (
    <>
      <input
        className="input"
        list={id}
        aria-label="Field"
        value={text}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          const typed = event.target.value
          setText(typed)
          const found = fieldTyped(typed, fields)
          if (found !== undefined && found.title !== title) onField(found.field)
        }}
        onBlur={() => setText(title)}
      />
      <datalist id={id}>
        {fields.map((field) => (
          <option key={field.field} value={field.title}>
            {field.field}
          </option>
        ))}
        {customFields.map((name) => (
          <option key={name} value={fieldOf(name)?.title ?? name}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}
