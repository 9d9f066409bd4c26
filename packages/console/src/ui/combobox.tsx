// Chooses one of many: opens with everything, in groups, the first match chosen; typing narrows. Arrow keys, Enter, Escape.
import { useId, useState, type KeyboardEvent } from "react"
import { Icon } from "./icon.tsx"

export interface ComboOption {
  readonly value: string
  readonly text: string
  readonly group: string
  /** Shown at the right. */
  readonly detail?: string
}

interface ComboboxProps {
  readonly label: string
  readonly placeholder: string
  /** Those of a group stand together. */
  readonly options: ReadonlyArray<ComboOption>
  readonly onChoose: (value: string) => void
  readonly onClose: () => void
}

/** An option matches if it contains each of the typed words. */
export const matching = (
  options: ReadonlyArray<ComboOption>,
  typed: string,
): ReadonlyArray<ComboOption> => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return options.filter(({ detail = "", group, text }) => {
    const all = `${group} ${text} ${detail}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

export const Combobox = ({ label, onChoose, onClose, options, placeholder }: ComboboxProps) => {
  const id = useId()
  const [text, setText] = useState("")
  const [at, setAt] = useState(0)
  const found = matching(options, text)
  const chosen = Math.min(at, found.length - 1)
  const onKeyDown = (event: KeyboardEvent): void => {
    const option = found[chosen]
    if (event.key === "ArrowDown") setAt(Math.min(found.length - 1, chosen + 1))
    else if (event.key === "ArrowUp") setAt(Math.max(0, chosen - 1))
    else if (event.key === "Enter" && option !== undefined) onChoose(option.value)
    else if (event.key === "Escape") {
      event.stopPropagation()
      onClose()
    } else return
    event.preventDefault()
  }
  return (
    <div className="combobox">
      <label className="ask">
        <Icon name="search" />
        <span className="hidden">{label}</span>
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
          placeholder={placeholder}
          autoFocus
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <ul id={id} role="listbox" aria-label={label}>
        {found.map((option, index) => (
          <li
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            data-group={option.group === found[index - 1]?.group ? undefined : option.group}
            ref={(element) => {
              if (index === chosen) element?.scrollIntoView({ block: "nearest" })
            }}
            // The input keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option.value)}
          >
            <span>{option.text}</span>
            <span className="faint small cut">{option.detail}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p className="soft nothing-found" role="status">
          Nothing has “{text.trim()}” in its name.
        </p>
      )}
    </div>
  )
}
