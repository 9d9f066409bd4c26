// A dialog. One with a form asks before it discards what was typed into it.
import { useState } from "react"
import { Modal, type ModalProps } from "./modal.tsx"
import { Discard, useUnsaved } from "./unsaved.tsx"

interface DialogProps extends Omit<ModalProps, "onTouched"> {
  readonly isForm?: boolean
}

export const Dialog = ({ isForm = false, isBusy = false, onClose, ...rest }: DialogProps) => {
  const [isTouched, setTouched] = useState(false)
  const [isAsking, setAsking] = useState(false)
  // A form that is being saved may navigate to what it created.
  const isUnsaved = isForm && isTouched && !isBusy
  const question = useUnsaved(isUnsaved)
  return (
    <>
      <Modal
        {...rest}
        isBusy={isBusy}
        onClose={isUnsaved ? () => setAsking(true) : onClose}
        onTouched={() => setTouched(true)}
      />
      {isAsking && <Discard onDiscard={onClose} onKeep={() => setAsking(false)} />}
      {question}
    </>
  )
}
