// A group of conditions and nested groups. Either all must match or any.
import { Button } from "../ui/button.tsx"
import { ChoiceField } from "../ui/field.tsx"
import { ConditionRow, type Suggestions } from "./condition.tsx"
import {
  changed,
  conditionsMax,
  groupsDeepMax,
  isGroup,
  newCondition,
  newGroup,
  type Group,
} from "./draft.ts"

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
          label="How many must hold"
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
          <span className="soft small">A rule has at most {conditionsMax} conditions.</span>
        )}
      </div>
    </fieldset>
  )
}
