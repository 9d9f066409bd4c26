// How a workflow reaches a Footfall server: its address and an API key, which also says which organization it is.
import type {
  IAuthenticateGeneric,
  Icon,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from "n8n-workflow"

export class FootfallApi implements ICredentialType {
  name = "footfallApi"

  displayName = "Footfall API"

  icon: Icon = { light: "file:../icons/footfall.svg", dark: "file:../icons/footfall.dark.svg" }

  documentationUrl = "https://www.npmjs.com/package/n8n-nodes-footfall"

  properties: INodeProperties[] = [
    {
      displayName: "Base URL",
      name: "baseUrl",
      type: "string",
      default: "",
      required: true,
      placeholder: "https://footfall.example.com",
      description: "Address of your Footfall server, without a path of the API",
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      description:
        "Create one in the console under Settings, or with <code>footfall api-keys create</code>",
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { "x-api-key": "={{$credentials.apiKey}}" } },
  }

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}',
      url: "/v1/data/lists",
      qs: { limit: 1 },
    },
  }
}
