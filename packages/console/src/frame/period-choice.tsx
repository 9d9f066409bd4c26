// Chooses the period in the top bar: a window, a month, or days in a dialog.
import { type SyntheticEvent, useState } from "react"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { ChoiceField, TextField } from "../ui/field.tsx"
import { dayRange } from "../ui/time.tsx"
import { dayMin, daysBefore, windows } from "./period.ts"
import { useChangeScope, useScope } from "./scope.tsx"

export const PeriodChoice = () => {
  const { days, window } = useScope()
  const change = useChangeScope()
  const [isChoosing, setChoosing] = useState(false)
  return (
    <>
      <ChoiceField
        label="Time window"
        isCompact
        choices={[
          ...windows,
          ...(days === undefined ? [] : [{ value: "days" as const, text: dayRange(days) }]),
          { value: "choose" as const, text: "Other days…" },
        ]}
        value={days === undefined ? window : "days"}
        onValue={(value) => {
          if (value === "choose") setChoosing(true)
          else if (value !== "days") void change({ window: value, from: undefined, to: undefined })
        }}
      />
      {isChoosing && <ChooseDays onClose={() => setChoosing(false)} />}
    </>
  )
}

/** It begins with the days that are shown, or with the last 30. */
const ChooseDays = ({ onClose }: { readonly onClose: () => void }) => {
  const { organization } = useMe()
  const { period, today } = useScope()
  const change = useChangeScope()
  const shown = { from: daysBefore(today, 29), to: today, ...period }
  const [from, setFrom] = useState(shown.from)
  const [to, setTo] = useState(shown.to)
  const show = (event: SyntheticEvent): void => {
    event.preventDefault()
    void change({ window: undefined, from, to })
    onClose()
  }
  return (
    <Dialog title="Other days" onClose={onClose}>
      <form className="stack" onSubmit={show}>
        <div className="row">
          <TextField
            label="First day"
            type="date"
            required
            min={dayMin}
            max={today}
            value={from}
            onValue={setFrom}
          />
          <TextField
            label="Last day"
            type="date"
            required
            min={from}
            max={today}
            value={to}
            onValue={setTo}
          />
        </div>
        <p className="soft small">
          Both days count in full, in the time zone {organization.timeZone}.
        </p>
        <div className="row">
          <Button kind="primary" type="submit">
            Show these days
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
