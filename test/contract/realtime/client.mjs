// Runs the vendor's client, unmodified, under the control of the Go test next to this file. Arguments: the URL that
// returns access URLs, and one user per client. A user followed by /once has a client that tries to send each message
// once, instead of four times. Commands come in and events go out as one JSON object per line.
import { createInterface } from "node:readline";

let WebPubSubClient;
try {
  ({ WebPubSubClient } = await import("@azure/web-pubsub-client"));
} catch (error) {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.error("The package @azure/web-pubsub-client is missing: run npm install at the root of the repository.");
  process.exit(2);
}

const [site, ...users] = process.argv.slice(2);
const emit = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

const clients = users.map((name, index) => {
  const [user, once] = name.split("/");
  const credential = {
    getClientAccessUrl: async () => {
      const response = await fetch(`${site}/negotiate?user=${user}`);
      if (!response.ok) throw new Error(`negotiate: ${response.status}`);
      emit({ client: index, event: "negotiated" });
      return (await response.json()).url;
    },
  };
  const client = new WebPubSubClient(credential, once ? { messageRetryOptions: { maxRetries: 0 } } : {});
  let wasDisconnected = false;
  client.on("connected", async ({ connectionId, userId }) => {
    emit({ client: index, event: "connected", connectionId, userId });
    if (wasDisconnected) {
      // What a page does after an unrecoverable loss: refetch what it shows.
      wasDisconnected = false;
      const response = await fetch(`${site}/state`);
      emit({ client: index, event: "refetched", ids: await response.json() });
    }
  });
  client.on("disconnected", ({ message }) => {
    wasDisconnected = true;
    emit({ client: index, event: "disconnected", message: message?.message });
  });
  client.on("stopped", () => emit({ client: index, event: "stopped" }));
  client.on("rejoin-group-failed", ({ group }) => emit({ client: index, event: "rejoin-failed", group }));
  client.on("server-message", ({ message }) => emit({ client: index, event: "message", id: message.data.id }));
  client.on("group-message", ({ message }) =>
    emit({ client: index, event: "group-message", id: message.data.id, group: message.group, from: message.fromUserId }),
  );
  return client;
});

const commands = {
  start: (client) => client.start(),
  stop: (client) => client.stop(),
  join: (client, { group }) => client.joinGroup(group),
  leave: (client, { group }) => client.leaveGroup(group),
  send: (client, { group, id, ackId, noEcho }) => client.sendToGroup(group, { id }, "json", { ackId, noEcho }),
  event: (client, { id }) => client.sendEvent("hello", { id }, "json"),
};

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  // Not awaited: commands to several clients run concurrently.
  Promise.resolve(commands[command.name](clients[command.client], command)).then(
    (result) => emit({ client: command.client, event: "done", command: command.name, duplicate: result?.isDuplicated === true }),
    (error) =>
      emit({ client: command.client, event: "failed", command: command.name, message: error.message, error: error.errorDetail?.name }),
  );
}
process.exit(0);
