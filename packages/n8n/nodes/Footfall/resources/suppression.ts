// Suppression: rules for people and companies that Footfall leaves out of everything it sends.
import type { IDataObject, INodeProperties } from "n8n-workflow"
import { ask } from "../../api"
import { type Operations, shownFor, textOf, valuesOf } from "../fields"
import { visitorIdOf } from "./visitor"

const resource = "suppression"

export const suppressionFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options: [
      {
        name: "Add",
        value: "add",
        description: "Add rules. Existing ones are skipped.",
        action: "Add suppression rules",
      },
      {
        name: "Check",
        value: "check",
        description: "Say whether a person is suppressed, and by which rules",
        action: "Check whether a visitor is suppressed",
      },
      {
        name: "Remove",
        value: "remove",
        description: "Remove rules. Unknown ones are ignored.",
        action: "Remove suppression rules",
      },
    ],
    default: "add",
  },
  {
    displayName: "Type",
    name: "type",
    type: "options",
    default: "email",
    description: "What a rule is compared with",
    displayOptions: shownFor(resource, "add", "remove"),
    options: [
      { name: "Company Domain", value: "company_domain" },
      { name: "Email Address", value: "email" },
      { name: "Email Domain", value: "domain" },
      { name: "Industry", value: "industry" },
    ],
  },
  {
    displayName: "Values",
    name: "values",
    type: "string",
    typeOptions: { rows: 3 },
    default: "",
    required: true,
    description: "Separated by commas or lines, at most 25,000. An expression can give an array.",
    displayOptions: shownFor(resource, "add", "remove"),
  },
  {
    displayName: "Note",
    name: "note",
    type: "string",
    default: "",
    description: "Why the rules are there",
    displayOptions: shownFor(resource, "add"),
  },
  {
    displayName: "Email or Email Hash",
    name: "email",
    type: "string",
    default: "",
    required: true,
    placeholder: "name@email.com",
    description: "An email address of the person, or its SHA-256",
    displayOptions: shownFor(resource, "check"),
  },
]

export const suppressionOperations: Operations = {
  add: async (context, itemIndex) => {
    const type = textOf(context, "type", itemIndex)
    const rules = valuesOf(context, "values", itemIndex).map((value) => ({ type, value }))
    const note = textOf(context, "note", itemIndex)
    const { data } = await ask<IDataObject>(context, {
      method: "POST",
      path: ["data", "suppression-rules"],
      body: note === "" ? { rules } : { rules, note },
      itemIndex,
    })
    return [data]
  },

  remove: async (context, itemIndex) => {
    const type = textOf(context, "type", itemIndex)
    const rules = valuesOf(context, "values", itemIndex).map((value) => ({ type, value }))
    const { data } = await ask<IDataObject>(context, {
      method: "DELETE",
      path: ["data", "suppression-rules"],
      body: { rules },
      itemIndex,
    })
    return [data]
  },

  check: async (context, itemIndex) => {
    const { data } = await ask<IDataObject>(context, {
      method: "GET",
      path: ["data", "visitors", visitorIdOf(textOf(context, "email", itemIndex)), "suppression"],
      itemIndex,
    })
    return [data]
  },
}
