# One worker without nodejs_compat, which reaches this computer alone.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "application", worker = .application),
    (name = "network", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "application")],
);

const application :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
  bindings = [
    (name = "BASE_URL", fromEnvironment = "BASE_URL"),
    (name = "API_KEY", fromEnvironment = "API_KEY"),
    (name = "ACCESS_TOKEN", fromEnvironment = "ACCESS_TOKEN"),
  ],
  globalOutbound = "network",
);
