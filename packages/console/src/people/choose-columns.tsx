// Chooses the columns of the people list.
import { Button } from "../ui/button.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { CheckField } from "../ui/field.tsx"
import { peopleColumns, readColumns, rememberColumns, type PeopleColumn } from "./columns.tsx"

interface ChooseColumnsProps {
  readonly chosen: ReadonlyArray<PeopleColumn>
  readonly onChosen: (chosen: ReadonlyArray<PeopleColumn>) => void
  readonly onClose: () => void
}

export const ChooseColumns = ({ chosen, onChosen, onClose }: ChooseColumnsProps) => {
  const choose = (columns: ReadonlyArray<PeopleColumn> | undefined): void => {
    rememberColumns(columns)
    onChosen(readColumns())
  }
  return (
    <Dialog title="Columns" onClose={onClose}>
      <p className="soft">
        Where they do not all fit, the list leaves some out. A file has them all.
      </p>
      <div className="column-choices">
        {peopleColumns
          .filter(({ rank }) => rank > 0)
          .map((column) => (
            <CheckField
              key={column.id}
              label={column.title}
              value={chosen.includes(column)}
              onValue={(isChosen) =>
                choose(
                  peopleColumns.filter((each) =>
                    each === column ? isChosen : chosen.includes(each),
                  ),
                )
              }
            />
          ))}
      </div>
      <div className="row">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
        <Button onClick={() => choose(undefined)}>Show the usual ones</Button>
      </div>
    </Dialog>
  )
}
