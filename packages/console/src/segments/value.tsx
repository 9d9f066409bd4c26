// The value input of a condition. It depends on the operator, and suggests values from the data.
import { useId, type InputHTMLAttributes } from "react"
import { Button } from "../ui/button.tsx"
import { type Choice, ChoiceField } from "../ui/field.tsx"
import type { Operator } from "./fields.ts"

interface ValueProps {
  readonly takes: Operator["takes"]
  readonly isNumber: boolean
  readonly values: ReadonlyArray<string>
  readonly suggested: ReadonlyArray<string>
  /** The lists, or the members, that the field can be compared with. */
  readonly named: ReadonlyArray<Choice<string>>
  /** The id of the element that offers topics. */
  readonly topics: string
  readonly onValues: (values: ReadonlyArray<string>) => void
}

export const Value = (props: ValueProps) => {
  const { takes, isNumber, values, suggested, named, topics, onValues } = props
  const id = useId()
  const [first = "", second = ""] = values
  if (takes === "yes") {
    return (
      <ChoiceField
        label="Value"
        isCompact
        choices={[
          { value: "true", text: "yes" },
          { value: "false", text: "no" },
        ]}
        value={first === "false" ? "false" : "true"}
        onValue={(value) => onValues([value])}
      />
    )
  }
  if (takes === "date") {
    // A rule made elsewhere may have a date with a time. Keep it until the user replaces it.
    return first.length > 10 ? (
      <Text label="Value" text={first} onText={(value) => onValues([value])} />
    ) : (
      <Text label="Date" type="date" text={first} onText={(value) => onValues([value])} />
    )
  }
  if (takes === "list" || takes === "member") {
    // A list that was made or renamed elsewhere is known once the lists are read again.
    const isKnown = first === "" || named.some(({ value }) => value === first)
    const noun = takes
    return (
      <ChoiceField
        label={noun === "list" ? "List" : "Member"}
        isCompact
        choices={[
          {
            value: "",
            text: named.length === 0 ? `There are no ${noun}s yet` : `Choose a ${noun}`,
          },
          ...named,
          ...(isKnown ? [] : [{ value: first, text: first }]),
        ]}
        value={first}
        onValue={(value) => onValues([value])}
      />
    )
  }
  if (takes === "duration") {
    return (
      <span className="value">
        <Text
          label="Number"
          type="number"
          min={1}
          text={first}
          onText={(amount) => onValues([amount, second === "" ? "d" : second])}
        />
        <ChoiceField
          label="Unit"
          isCompact
          choices={[
            { value: "d", text: "days" },
            { value: "h", text: "hours" },
          ]}
          value={second === "h" ? "h" : "d"}
          onValue={(unit) => onValues([first, unit])}
        />
      </span>
    )
  }
  if (takes === "two") {
    return (
      <span className="value">
        <Text
          label="Minimum"
          type="number"
          text={first}
          onText={(least) => onValues([least, second])}
        />
        <span className="soft small">and</span>
        <Text
          label="Maximum"
          type="number"
          text={second}
          onText={(most) => onValues([first, most])}
        />
      </span>
    )
  }
  return (
    <>
      {takes === "many" || takes === "members" || takes === "numbers" ? (
        <Items values={values} list={takes === "numbers" ? topics : id} onValues={onValues} />
      ) : (
        <Text
          label="Value"
          type={isNumber ? "number" : "text"}
          list={id}
          text={first}
          onText={(value) => onValues([value])}
        />
      )}
      <datalist id={id}>
        {takes === "members"
          ? named.map(({ text, value }) => <option key={value} value={value} label={text} />)
          : suggested.map((value) => <option key={value} value={value} />)}
      </datalist>
    </>
  )
}

interface TextProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
}

const Text = ({ label, text, onText, ...rest }: TextProps) => (
  <input
    className="input"
    aria-label={label}
    maxLength={255}
    step="any"
    value={text}
    onChange={(event) => onText(event.target.value)}
    {...rest}
  />
)

interface ItemsProps {
  readonly values: ReadonlyArray<string>
  readonly list: string
  readonly onValues: (values: ReadonlyArray<string>) => void
}

/** One input per value, so that a value can contain a comma. */
const Items = ({ values, list, onValues }: ItemsProps) => (
  <span className="value items">
    {values.map((value, index) => (
      <Text
        // oxlint-disable-next-line react/no-array-index-key -- a value has no other identity while it is typed
        key={index}
        label={`Value ${index + 1}`}
        list={list}
        text={value}
        onText={(text) => onValues(values.map((each, at) => (at === index ? text : each)))}
      />
    ))}
    <Button
      className="small"
      aria-label="Add a value"
      disabled={values.at(-1)?.trim() === ""}
      onClick={() => onValues([...values.filter((value) => value.trim() !== ""), ""])}
    >
      +
    </Button>
  </span>
)
