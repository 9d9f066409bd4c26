// Creates or edits an audience: its topics, scores and filters, next to how many people match.
import type { Audience, AudienceConfigParams, Department, Seniority } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { TopicChoice, type ChosenTopic } from "../topics/topic-choice.tsx"
import { TextField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useWrite } from "../ui/use-write.ts"
import { Choices } from "./choices.tsx"
import { Preview } from "./preview.tsx"
import "./audiences.css"

/** Per audience. spec 2.8 */
const topicsMax = 10

interface BuilderProps {
  /** The audience to edit; undefined for a new one. */
  readonly audience?: Audience
  readonly onClose: () => void
}

export const Builder = ({ audience, onClose }: BuilderProps) => {
  const navigate = useNavigate()
  const before = audience?.config
  const [name, setName] = useState(audience?.name ?? "")
  const [topics, setTopics] = useState<ReadonlyArray<ChosenTopic>>(before?.topics ?? [])
  const [minScore, setMinScore] = useState(String(before?.minScore ?? 70))
  const [maxScore, setMaxScore] = useState(String(before?.maxScore ?? 100))
  const [seniority, setSeniority] = useState(before?.filters.seniority ?? [])
  const [department, setDepartment] = useState(before?.filters.department ?? [])
  const [jobTitle, setJobTitle] = useState(before?.filters.jobTitle ?? "")
  const title = jobTitle.trim() === "" ? null : jobTitle.trim()
  const config: AudienceConfigParams = {
    topicIds: topics.map(({ topicId }) => topicId),
    minScore: Number(minScore),
    maxScore: Number(maxScore),
    minTopicOverlap: Math.max(1, Math.min(before?.minTopicOverlap ?? 1, topics.length)),
    // Keep filters that were set elsewhere.
    filters: { ...before?.filters, seniority, department, jobTitle: title },
  }
  const save = useWrite({
    write: () =>
      audience === undefined
        ? footfall.audiences.create({ name: name.trim(), config })
        : footfall.audiences.update(audience.id, {
            name: name.trim(),
            config: { ...config, sourceUrl: audience.config.sourceUrl },
          }),
    changes: [["audiences"]],
    notice: (saved) => ({
      text:
        audience === undefined
          ? `Created audience ${saved.name} (draft)`
          : `Saved ${saved.name}. The change counts from the next run on`,
    }),
    onDone: ({ id }) => {
      onClose()
      return navigate({ to: "/audiences/$audienceId", params: { audienceId: id }, search: true })
    },
  })
  return (
    <FormDialog
      title={audience === undefined ? "Create an audience" : `Edit ${audience.name}`}
      onClose={onClose}
      isWide
      verb={audience === undefined ? "Create as a draft" : "Save"}
      write={save}
      failure="The audience was not saved"
      isReady={topics.length > 0}
      onSubmit={() => save.mutate()}
    >
      <div className="builder">
        <div className="stack">
          <TextField
            label="Name"
            required
            maxLength={255}
            autoFocus
            value={name}
            onValue={setName}
          />
          <TopicChoice
            topics={topics}
            onTopics={setTopics}
            max={topicsMax}
            hint={`What these people read about: 1 to ${topicsMax}.`}
          />
          <div className="two">
            <TextField
              label="Score from"
              type="number"
              min={1}
              max={100}
              required
              hint="How strongly they read about it: 1 to 100."
              value={minScore}
              onValue={setMinScore}
            />
            <TextField
              label="Score to"
              type="number"
              min={1}
              max={100}
              required
              value={maxScore}
              onValue={setMaxScore}
            />
          </div>
          <Filters
            seniority={seniority}
            onSeniority={setSeniority}
            department={department}
            onDepartment={setDepartment}
          />
          <TextField
            label="Job title contains"
            hint="Commas separate alternatives."
            maxLength={200}
            value={jobTitle}
            onValue={setJobTitle}
          />
        </div>
        {topics.length > 0 && <Preview config={config} />}
      </div>
    </FormDialog>
  )
}

interface FiltersProps {
  readonly seniority: ReadonlyArray<Seniority>
  readonly onSeniority: (chosen: ReadonlyArray<Seniority>) => void
  readonly department: ReadonlyArray<Department>
  readonly onDepartment: (chosen: ReadonlyArray<Department>) => void
}

const seniorities: ReadonlyArray<Seniority> = [
  ...(["owner", "founder", "c_suite", "partner", "vp", "head"] as const),
  ...(["director", "manager", "senior", "entry", "intern"] as const),
]

const Filters = ({ seniority, onSeniority, department, onDepartment }: FiltersProps) => {
  const { data } = useQuery({
    queryKey: ["audiences", "filters"],
    queryFn: ({ signal }) => footfall.audiences.filters({}, { signal }),
    staleTime: Infinity,
  })
  return (
    <>
      <Choices label="Seniority" choices={seniorities} chosen={seniority} onChosen={onSeniority} />
      {data !== undefined && (
        <Choices
          label="Department"
          // The server only lists values of this type.
          choices={data.department as ReadonlyArray<Department>}
          chosen={department}
          onChosen={onDepartment}
        />
      )}
    </>
  )
}
