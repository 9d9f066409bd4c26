// Adds typed or pasted values to a list.
import type { List, ListWrite } from "@footfall/sdk"
import { useDeferredValue, useState } from "react"
import { footfall } from "../session/session.ts"
import { valuesOf } from "../suppression/typed-rules.ts"
import { rejectionWords } from "../suppression/words.ts"
import { Button } from "../ui/button.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { AreaField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { count, plural } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { listWords } from "./words.ts"

/** Maximum per request. spec 5.17.4 */
const valuesMax = 25_000

interface AddValuesProps {
  readonly list: List
  readonly onClose: () => void
}

export const AddValues = ({ list, onClose }: AddValuesProps) => {
  const [text, setText] = useState("")
  const values = valuesOf("email", useDeferredValue(text))
  const isTooLong = values.length > valuesMax
  const add = useWrite({
    write: (given: ReadonlyArray<string>) => footfall.lists.addMembers(list.id, { values: given }),
    changes: [["lists"]],
    notice: ({ added, present }) => ({
      text: `Added ${plural(added, "value")}${present > 0 ? `, ${count(present)} were there already` : ""}`,
    }),
    onDone: ({ rejectedCount }) => {
      if (rejectedCount === 0) onClose()
    },
  })
  if (add.data !== undefined && add.data.rejectedCount > 0) {
    return <NotAdded result={add.data} onClose={onClose} />
  }
  const words = listWords[list.subject]
  return (
    <FormDialog
      title="Add values"
      onClose={onClose}
      isWide
      verb={values.length === 0 ? "Add" : `Add ${plural(values.length, "value")}`}
      write={add}
      failure="No value was added"
      isReady={values.length > 0 && !isTooLong}
      onSubmit={() => add.mutate(valuesOf("email", text))}
    >
      <AreaField
        label="Values"
        hint={`${words.holds} One per line, for example ${words.example}`}
        wrong={isTooLong ? `At most ${plural(valuesMax, "value")} at once` : undefined}
        value={text}
        onValue={setText}
        required
      />
    </FormDialog>
  )
}

interface NotAddedProps {
  readonly result: ListWrite
  readonly onClose: () => void
}

/** All values were added except these. The user can fix and add them again. */
const NotAdded = ({ result, onClose }: NotAddedProps) => {
  const { added, rejected, rejectedCount } = result
  return (
    <Dialog title={`${plural(rejectedCount, "value")} not added`} onClose={onClose} isWide>
      <p>
        Added {plural(added, "value")}. {rejectedCount === 1 ? "This value is" : "These values are"}{" "}
        invalid:
      </p>
      <ul className="wrong">
        {rejected.map(({ index, message, reason, value }) => (
          <li key={index} className="break">
            {value}: {message ?? rejectionWords(reason)}
          </li>
        ))}
      </ul>
      {rejectedCount > rejected.length && (
        <p className="soft">And {count(rejectedCount - rejected.length)} more.</p>
      )}
      <div className="row">
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  )
}
