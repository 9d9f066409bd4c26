// Notices in the corner that say for a moment what was done, with an undo button.
import { useSyncExternalStore } from "react"

export interface Notice {
  readonly text: string
  readonly undo?: () => unknown
}

interface Shown extends Notice {
  readonly id: number
}

/** How long a notice stays. */
const shownMs = 6_000

let shown: ReadonlyArray<Shown> = []
let lastId = 0
const listeners = new Set<() => void>()

const become = (next: ReadonlyArray<Shown>): void => {
  shown = next
  for (const listener of listeners) listener()
}

const dismiss = (id: number): void => become(shown.filter((notice) => notice.id !== id))

export const notify = (notice: Notice): void => {
  lastId += 1
  const id = lastId
  become([...shown, { ...notice, id }])
  setTimeout(() => dismiss(id), shownMs)
}

export const dismissAll = (): void => become([])

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const Notices = () => {
  const notices = useSyncExternalStore(subscribe, () => shown)
  return (
    <div className="notices" role="status">
      {notices.map(({ id, text, undo }) => (
        <div key={id} className="notice">
          <span className="break">{text}</span>
          {undo !== undefined && (
            <button
              type="button"
              onClick={() => {
                dismiss(id)
                undo()
              }}
            >
              Undo
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
