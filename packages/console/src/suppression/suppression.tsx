// Suppression: rules for people to leave alone. People who match cost no credit and trigger nothing.
import type { SuppressionListMeta, SuppressionRule } from "@footfall/sdk"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useCreating } from "../frame/creating.ts"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { Empty } from "../ui/empty.tsx"
import { List, type Column } from "../ui/list.tsx"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { Screen } from "../ui/screen.tsx"
import { Tabs } from "../ui/tabs.tsx"
import { SearchBox } from "../ui/search-box.tsx"
import { count, plural, Time } from "../ui/time.tsx"
import { AddRules } from "./add-rules.tsx"
import { useRemoveRules } from "./use-rules.ts"
import { ruleTypes, ruleWords } from "./words.ts"

/** Rules per page. */
const pageSize = 200

const Suppression = () => {
  const { q, type } = useSearch({ from: "/signed/suppression" })
  const navigate = useNavigate({ from: "/suppression" })
  const { canWrite } = useMe()
  const [isAdding, setAdding] = useCreating("/suppression")
  const rules = usePages<SuppressionRule, SuppressionListMeta>({
    key: ["suppression", "list", { type, q }],
    load: (cursor, signal) =>
      footfall.suppression.list({ type, q, limit: pageSize, cursor }, { signal }),
  })
  const { meta } = rules
  const sources = (
    <Link className="button normal" to="/suppression/sources" search={{}}>
      Sources
    </Link>
  )
  const add = canWrite && (
    <>
      <Link className="button normal" to="/suppression/import" search={{}}>
        Import a file
      </Link>
      <Button kind="primary" onClick={() => setAdding(true)}>
        Add rules
      </Button>
    </>
  )
  return (
    <Screen
      title="Suppression"
      isFilled
      actions={
        <>
          {sources}
          {add}
        </>
      }
      views={meta !== undefined && <Types meta={meta} />}
      tools={
        <SearchBox
          label="Search rules"
          placeholder="Part of an address or domain"
          value={q ?? ""}
          onValue={(text) =>
            void navigate({ search: (old) => ({ ...old, q: text === "" ? undefined : text }) })
          }
        />
      }
    >
      {rules.error !== null && rules.rows.length === 0 ? (
        <Problem error={rules.error} onRetry={rules.retry} />
      ) : rules.isPending ? (
        <Waiting />
      ) : rules.rows.length === 0 ? (
        <NoRules isFiltered={q !== undefined || type !== undefined} add={add} />
      ) : (
        <>
          <Rules rows={rules.rows} meta={meta} onEnd={rules.onEnd} />
          <Rest pages={rules} />
        </>
      )}
      {isAdding && <AddRules type={type ?? "email"} onClose={() => setAdding(false)} />}
    </Screen>
  )
}

const Types = ({ meta }: { readonly meta: SuppressionListMeta }) => {
  const { type: chosen } = useSearch({ from: "/signed/suppression" })
  return (
    <Tabs label="Types of rules" current={chosen ?? ""}>
      {[undefined, ...ruleTypes].map((type) => (
        <Link
          key={type ?? "all"}
          className="tab"
          to="/suppression"
          search={(old) => ({ ...old, type })}
          activeOptions={{ explicitUndefined: true }}
          aria-current={type === chosen}
        >
          {type === undefined ? "All" : ruleWords[type].many}{" "}
          <span className="soft small">
            {count(type === undefined ? meta.total : meta.counts[type])}
          </span>
        </Link>
      ))}
    </Tabs>
  )
}

interface RulesProps {
  readonly rows: ReadonlyArray<SuppressionRule>
  readonly meta: SuppressionListMeta | undefined
  readonly onEnd: () => void
}

const columns: ReadonlyArray<Column<SuppressionRule>> = [
  {
    id: "value",
    title: "Value",
    width: "minmax(10rem, 3fr)",
    cell: ({ value }) => (
      <p className="cut" title={value}>
        <code>{value}</code>
      </p>
    ),
  },
  {
    id: "type",
    title: "Type",
    width: "8rem",
    from: 480,
    cell: ({ type }) => ruleWords[type].one,
  },
  {
    id: "origin",
    title: "From",
    width: "minmax(6rem, 2fr)",
    from: 760,
    cell: ({ note, origin }) => (
      <p className="cut soft" title={note ?? undefined}>
        {origin?.name ?? origin?.member ?? ""}
        {note !== null && `: ${note}`}
      </p>
    ),
  },
  {
    id: "added",
    title: "Added",
    width: "8rem",
    from: 560,
    isNumber: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    id: "remove",
    title: "Remove",
    isTitleHidden: true,
    width: "6rem",
    isNumber: true,
    cell: (rule) => <RemoveRule rule={rule} />,
  },
]

const RemoveRule = ({ rule }: { readonly rule: SuppressionRule }) => {
  const { canWrite } = useMe()
  const remove = useRemoveRules()
  if (!canWrite) return null
  return (
    <>
      <Button
        kind="plain"
        aria-label={`Remove ${rule.value}`}
        isBusy={remove.isPending}
        onClick={() => remove.mutate([rule])}
      >
        Remove
      </Button>
      {remove.error !== null && (
        <Dialog title="The rule was not removed" onClose={remove.reset}>
          <Problem error={remove.error} />
        </Dialog>
      )}
    </>
  )
}

const Rules = ({ rows, meta, onEnd }: RulesProps) => (
  <List
    label="Suppression rules"
    columns={columns}
    rows={rows}
    keyOf={({ id }) => id}
    total={meta?.filteredTotal}
    onEnd={onEnd}
    foot={meta === undefined ? undefined : plural(meta.filteredTotal, "rule")}
  />
)

interface NoRulesProps {
  readonly isFiltered: boolean
  readonly add: React.ReactNode
}

const NoRules = ({ isFiltered, add }: NoRulesProps) =>
  isFiltered ? (
    <Empty title="No matching rules">No rule has this type and contains this text.</Empty>
  ) : (
    <Empty title="No one is suppressed" action={<div className="row">{add}</div>}>
      Add your customers, your own staff and competitors. People who match a rule cost no credit and
      are not told in alerts, nor sent to mailing lists.
    </Empty>
  )

export default Suppression
