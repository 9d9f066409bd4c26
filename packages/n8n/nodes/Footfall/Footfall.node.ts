// The action node: reads and changes what Footfall knows, once for each input item.
import {
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type JsonObject,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
} from "n8n-workflow"
import { optionsOf } from "../options"
import type { Operations } from "./fields"
import { companyFields, companyOperations } from "./resources/company"
import { listFields, listOperations } from "./resources/list"
import { suppressionFields, suppressionOperations } from "./resources/suppression"
import { visitorFields, visitorOperations } from "./resources/visitor"

const resources: Readonly<Record<string, Operations>> = {
  visitor: visitorOperations,
  company: companyOperations,
  suppression: suppressionOperations,
  list: listOperations,
}

export class Footfall implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Footfall",
    name: "footfall",
    icon: { light: "file:../../icons/footfall.svg", dark: "file:../../icons/footfall.dark.svg" },
    group: ["transform"],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "Read and change visitors, companies, lists and suppression rules in Footfall",
    defaults: { name: "Footfall" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "footfallApi", required: true }],
    properties: [
      {
        displayName: "Resource",
        name: "resource",
        type: "options",
        noDataExpression: true,
        options: [
          { name: "Company", value: "company" },
          { name: "List", value: "list" },
          { name: "Suppression", value: "suppression" },
          { name: "Visitor", value: "visitor" },
        ],
        default: "visitor",
      },
      ...visitorFields,
      ...companyFields,
      ...suppressionFields,
      ...listFields,
    ],
  }

  methods = {
    loadOptions: {
      getLists(this: ILoadOptionsFunctions) {
        return optionsOf(["data", "lists"])(this)
      },
    },
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = []
    for (const [item] of this.getInputData().entries()) {
      const pairedItem = { item }
      try {
        const resource = this.getNodeParameter("resource", item) as string
        const operation = this.getNodeParameter("operation", item) as string
        const run = resources[resource]?.[operation]
        if (run === undefined) {
          throw new NodeOperationError(
            this.getNode(),
            `${resource} has no operation ${operation}.`,
            {
              itemIndex: item,
            },
          )
        }
        const rows = await run(this, item)
        results.push(...rows.map((json) => ({ json, pairedItem })))
      } catch (error) {
        if (!this.continueOnFail()) {
          // It leaves an error of the API as it is.
          throw new NodeApiError(this.getNode(), error as JsonObject, { itemIndex: item })
        }
        results.push({ json: { error: (error as Error).message }, pairedItem })
      }
    }
    return [results]
  }
}
