// Keyboard shortcuts.
import { Dialog } from "../ui/dialog.tsx"
import { usePlaces } from "./places.tsx"

const keys: ReadonlyArray<readonly [keys: ReadonlyArray<string>, what: string]> = [
  [["⌘ K"], "Search and go anywhere (Ctrl K on other keyboards)"],
  [["/"], "Search this list"],
  [["j", "k"], "Next row, row before"],
  [["Enter"], "Open the row"],
  [["Esc"], "Close what is open"],
  [["?"], "Show these keys"],
]

export const Help = ({ onClose }: { readonly onClose: () => void }) => {
  const places = usePlaces().map(({ key, name }) => [["g", key], name] as const)
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="facts">
        {[...keys, ...places].map(([each, what]) => (
          <div key={what} className="contents">
            <dt>
              {each.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
