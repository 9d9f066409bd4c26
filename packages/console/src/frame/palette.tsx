// Command palette: finds screens and their actions, segments, audiences, webhooks, pixels,
// companies by name or domain, recent visitors by name or company, and anyone by email address.
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useId, useState } from "react"
import { nameOf } from "../people/name.ts"
import { audiencesQuery, newestPeopleQuery, segmentsQuery, webhooksQuery } from "../queries.ts"
import { isAddress } from "../searches.ts"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Dialog } from "../ui/dialog.tsx"
import { useSettled } from "../ui/use-settled.ts"
import { usePlaces } from "./places.tsx"
import { pixelsQuery } from "./scope.tsx"

interface Entry {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
  readonly isCreating?: true
}

/** Maximum number of entries shown. */
const shownMax = 12

/** What was opened last from here, in this tab. Shown before anything is typed. */
let recent: { readonly of: string; readonly entries: ReadonlyArray<Entry> } = {
  of: "",
  entries: [],
}
const recentMax = 4
const recentOf = (organizationId: string) => (recent.of === organizationId ? recent.entries : [])

export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const [text, setText] = useState("")
  const [chosen, setChosen] = useState(0)
  const navigate = useNavigate()
  const id = useId()
  const { organization } = useMe()
  const entries = useEntries(text)
  const go = (entry: Entry | undefined): void => {
    if (entry === undefined) return
    onClose()
    const others = recentOf(organization.id).filter(({ id }) => id !== entry.id)
    recent = { of: organization.id, entries: [entry, ...others].slice(0, recentMax) }
    void navigate({
      to: entry.to,
      search: entry.search ?? {},
      ...(entry.isCreating && { state: { isCreating: true } }),
    })
  }
  return (
    <Dialog title="Search" onClose={onClose} isWide>
      <input
        className="input"
        role="combobox"
        aria-label="Search screens, actions, people, companies, views, audiences, alerts and sites"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={entries.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder="Find a person, company, screen or action…"
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setChosen(0)
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setChosen(Math.min(chosen + 1, entries.length - 1))
          else if (event.key === "ArrowUp") setChosen(Math.max(chosen - 1, 0))
          else if (event.key === "Enter") go(entries[chosen])
          else return
          event.preventDefault()
        }}
      />
      <ul className="palette" role="listbox" id={id} aria-label="Results">
        {entries.map((entry, index) => (
          <li
            key={entry.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => go(entry)}
            onPointerMove={() => setChosen(index)}
          >
            <span className="cut">{entry.name}</span>
            <span className="soft small">{entry.kind}</span>
          </li>
        ))}
      </ul>
      {entries.length === 0 && (
        <p className="soft">
          Nothing found. Names are searched among recent visitors. A full email address finds
          anyone.
        </p>
      )}
    </Dialog>
  )
}

const action = (name: string, to: string, isCreating?: true): Entry => ({
  id: `action ${name}`,
  kind: "Action",
  name,
  to,
  ...(isCreating && { isCreating }),
})

const actions: ReadonlyArray<Entry> = [
  action("Create an audience", "/audiences", true),
  action("Create a list", "/lists", true),
  action("Create an alert", "/webhooks", true),
  action("Add a site", "/pixels", true),
  action("Add an inbound source", "/pixels/inbound", true),
  action("Create a view", "/segments/new"),
  action("Add suppression rules", "/suppression", true),
  action("Import suppression rules", "/suppression/import"),
  action("Add a suppression source", "/suppression/sources", true),
]

/** Maximum number of matching companies shown. */
const companiesMax = 5

/** Search companies from this many letters on. */
const companyLettersMin = 2

const useCompanies = (text: string): ReadonlyArray<Entry> => {
  const q = useSettled(text.trim())
  const { data } = useQuery({
    queryKey: ["companies", "search", q],
    queryFn: async ({ signal }) => {
      const params = { q, timeframe: "all", suppressed: "include", limit: companiesMax } as const
      return (await footfall.companies.list(params, { signal })).data
    },
    enabled: q.length >= companyLettersMin && q.length <= 100,
  })
  if (q !== text.trim()) return []
  return (data ?? []).map(({ domain, name }) => ({
    id: `company ${domain}`,
    kind: name === null ? "Company" : `Company · ${domain}`,
    name: name ?? domain,
    to: `/companies/${encodeURIComponent(domain)}`,
    search: { window: "all" },
  }))
}

/** Maximum number of people shown who match by name or company. */
const peopleMax = 4

/** The person with the address, or recent visitors whose name or company contains every word. */
const usePeople = (text: string): ReadonlyArray<Entry> => {
  const email = text.trim()
  const words = wordsOf(text)
  const byAddress = useQuery({
    queryKey: ["person", "by-address", email],
    queryFn: ({ signal }) => footfall.visitors.get({ email }, { signal }),
    enabled: isAddress(email),
    retry: false,
  })
  const newest = useQuery({ ...newestPeopleQuery, enabled: email.length >= companyLettersMin })
  const found = (newest.data ?? []).filter((person) =>
    hasWords(`${person.fullName ?? ""} ${person.companyName ?? ""}`, words),
  )
  const people = byAddress.data === undefined ? found.slice(0, peopleMax) : [byAddress.data]
  return (email.length < companyLettersMin ? [] : people).map((person) => ({
    id: person.emailHash,
    kind: person.companyName === null ? "Person" : `Person · ${person.companyName}`,
    name: nameOf(person),
    to: `/people/${person.emailHash}`,
  }))
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.toLowerCase().split(/\s+/).filter(Boolean)

const hasWords = (text: string, words: ReadonlyArray<string>): boolean =>
  words.every((word) => text.toLowerCase().includes(word))

const useEntries = (text: string): ReadonlyArray<Entry> => {
  const segments = useQuery(segmentsQuery)
  const audiences = useQuery(audiencesQuery)
  const places = usePlaces()
  const { canWrite, organization } = useMe()
  const webhooks = useQuery({ ...webhooksQuery, enabled: canWrite })
  const pixels = useQuery(pixelsQuery)
  const companies = useCompanies(text)
  const people = usePeople(text)
  const known: ReadonlyArray<Entry> = [
    ...(canWrite ? actions : []),
    ...places.map(({ name, to }) => ({ id: to, kind: "Screen", name, to })),
    ...(segments.data ?? []).map((segment) => ({
      id: segment.id,
      kind: "View",
      name: segment.name,
      to: "/people",
      search: { segment: segment.id },
    })),
    ...(audiences.data ?? []).map(({ id, name }) => ({
      id,
      kind: "Audience",
      name,
      to: `/audiences/${id}`,
    })),
    ...(webhooks.data ?? []).map(({ id, name }) => ({
      id,
      kind: "Alert",
      name,
      to: `/webhooks/${id}`,
    })),
    ...(pixels.data ?? []).map(({ domain, id }) => ({
      id,
      kind: "Site",
      name: domain,
      to: `/pixels/${id}`,
    })),
  ]
  const words = wordsOf(text)
  if (words.length === 0) {
    const opened = recentOf(organization.id)
    const isRecent = new Set(opened.map(({ id }) => id))
    return [...opened, ...known.filter(({ id }) => !isRecent.has(id))].slice(0, shownMax)
  }
  const found = known.filter(({ kind, name }) => hasWords(`${name} ${kind}`, words))
  const others = [...people, ...companies]
  return [...found.slice(0, shownMax - others.length), ...others]
}
