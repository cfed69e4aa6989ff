// rye:signed:TIMESTAMP:HASH:SIG:FP

export const __version__ = "1.0.0";
export const __tool_type__ = "javascript";
export const __executor_id__ = "rye/core/runtimes/node/node";
export const __category__ = "utility";
export const __tool_description__ = "Example JS/TS tool";

export const CONFIG_SCHEMA = {
  type: "object",
  properties: {
    name: { type: "string", description: "Name to greet" },
  },
  required: ["name"],
};

export const ENV_CONFIG = {
  interpreter: { type: "node", var: "RYE_NODE" },
};

export const CONFIG = {
  timeout: 60,
};
