// Deletes a source with its rules, or keeps them.
import type { SuppressionSource } from "@footfall/sdk"
import { useState } from "react"
import { footfall } from "../../session/session.ts"
import { Confirm } from "../../ui/confirm.tsx"
import { ChoiceField } from "../../ui/field.tsx"
import { isolated } from "../../ui/isolated.ts"
import { plural } from "../../ui/time.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { ruleChanges } from "../use-rules.ts"

interface DeleteProps {
  readonly source: SuppressionSource
  readonly onClose: () => void
}

export const DeleteSource = ({ onClose, source }: DeleteProps) => {
  const { id, name } = source
  const rulesText = plural(source.rules, "rule")
  const [rules, setRules] = useState<"remove" | "keep">("remove")
  const remove = useWrite({
    write: () => footfall.suppressionSources.delete(id, { rules }),
    changes: ruleChanges,
    notice: () => ({ text: isolated`Deleted source ${name}` }),
    onDone: onClose,
  })
  return (
    <Confirm
      title={isolated`Delete ${name}?`}
      verb={rules === "keep" ? "Delete, keep the rules" : `Delete with ${rulesText}`}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <ChoiceField
        label="Its rules"
        choices={[
          { value: "remove", text: `Remove ${rulesText}` },
          { value: "keep", text: `Keep ${rulesText}` },
        ]}
        value={rules}
        onValue={setRules}
        hint={
          rules === "keep"
            ? "They stay until someone removes them."
            : "Those that a member, a file or another source has too stay."
        }
      />
    </Confirm>
  )
}
