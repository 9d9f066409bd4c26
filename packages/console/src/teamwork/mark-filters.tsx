// Filters of a list by owner and by tag. Both are in the URL.
import { useQuery } from "@tanstack/react-query"
import { footfall } from "../session/session.ts"
import { ChoiceField } from "../ui/field.tsx"
import { useOwners } from "./owners.ts"
import type { Subject } from "./subject.ts"

export interface MarkSearch {
  /** The id of a member, or `none`. */
  readonly owner?: string | undefined
  readonly tag?: string | undefined
}

interface MarkFiltersProps extends MarkSearch {
  readonly kind: Subject["kind"]
  readonly onChange: (changes: MarkSearch) => void
}

export const MarkFilters = ({ kind, onChange, owner = "", tag = "" }: MarkFiltersProps) => {
  const owners = useOwners()
  const { data: tags = [] } = useQuery({
    queryKey: ["tags", kind],
    queryFn: ({ signal }) => footfall.tags.list({ subject: kind }, { signal }),
    staleTime: 60_000,
  })
  const isKnown = (text: string, choices: ReadonlyArray<{ readonly value: string }>) =>
    text === "" || choices.some(({ value }) => value === text)
  const ownerChoices = [
    { value: "", text: "Any owner" },
    { value: "none", text: "No owner" },
    ...owners,
  ]
  const tagChoices = [
    { value: "", text: "Any tag" },
    ...tags.map((one) => ({ value: one.tag, text: one.tag })),
  ]
  return (
    <>
      <ChoiceField
        label="Owner"
        isCompact
        choices={
          isKnown(owner, ownerChoices)
            ? ownerChoices
            : [...ownerChoices, { value: owner, text: "Another member" }]
        }
        value={owner}
        onValue={(id) => onChange({ owner: id === "" ? undefined : id })}
      />
      {(tags.length > 0 || tag !== "") && (
        <ChoiceField
          label="Tag"
          isCompact
          choices={
            isKnown(tag, tagChoices) ? tagChoices : [...tagChoices, { value: tag, text: tag }]
          }
          value={tag}
          onValue={(chosen) => onChange({ tag: chosen === "" ? undefined : chosen })}
        />
      )}
    </>
  )
}
