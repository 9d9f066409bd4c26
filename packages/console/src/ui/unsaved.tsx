// Asks before something that the user typed is lost: when they leave the screen, go back or reload.
import { useBlocker } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Button } from "./button.tsx"
import { Modal } from "./modal.tsx"

interface DiscardProps {
  readonly onDiscard: () => void
  readonly onKeep: () => void
}

export const Discard = ({ onDiscard, onKeep }: DiscardProps) => (
  <Modal title="Discard what you entered?" onClose={onKeep}>
    <p>It is not saved.</p>
    <div className="row">
      <Button kind="primary" onClick={onKeep}>
        Keep editing
      </Button>
      <Button isDanger onClick={onDiscard}>
        Discard
      </Button>
    </div>
  </Modal>
)

/** Render the result: it is the question, while someone is about to leave. */
export const useUnsaved = (isUnsaved: boolean): ReactNode => {
  const leaving = useLeaving(isUnsaved)
  return leaving && <Discard onDiscard={leaving.leave} onKeep={leaving.stay} />
}

interface Leaving {
  readonly leave: () => void
  readonly stay: () => void
}

/** Stops someone who leaves the screen, goes back or reloads. Null unless someone is about to. */
export const useLeaving = (isStopped: boolean): Leaving | null => {
  const leaving = useBlocker({
    // A filter or an open record is part of the address too, but stays on the screen.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    enableBeforeUnload: isStopped,
    disabled: !isStopped,
    withResolver: true,
  })
  if (leaving.status !== "blocked") return null
  return { leave: leaving.proceed, stay: leaving.reset }
}
