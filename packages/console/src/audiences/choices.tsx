// Values to choose for a filter. No choice means no filter.
interface ChoicesProps<Value extends string> {
  readonly label: string
  readonly choices: ReadonlyArray<Value>
  readonly chosen: ReadonlyArray<Value>
  readonly onChosen: (chosen: ReadonlyArray<Value>) => void
  readonly wordsOf: (value: Value) => string
}

/** More choices than this are in columns, which scroll. */
const manyMin = 12

export const Choices = <Value extends string>({
  label,
  choices,
  chosen,
  onChosen,
  wordsOf,
}: ChoicesProps<Value>) => (
  <fieldset>
    <legend className="label">{label}</legend>
    <div className={`choices ${choices.length > manyMin ? "many" : ""}`}>
      {choices.map((value) => (
        <label key={value} className="choice">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChosen(
                target.checked ? [...chosen, value] : chosen.filter((other) => other !== value),
              )
            }
          />
          {wordsOf(value)}
        </label>
      ))}
    </div>
  </fieldset>
)
