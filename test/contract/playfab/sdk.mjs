// Uses a title through the vendor's SDK, as a game's client, its server and its operator would. Environment: TITLE,
// KEY, URL (https) and MAILS, a URL that lists the recovery emails.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { PlayFab, PlayFabClient, PlayFabServer, PlayFabAdmin } = createRequire(import.meta.url)("playfab-sdk");
PlayFab.settings.titleId = process.env.TITLE;
PlayFab.settings.productionUrl = process.env.URL;

/** Calls a method of the SDK and returns its data. */
const call = (api, method, request = {}) =>
  new Promise((resolve, reject) =>
    api[method](request, (error, result) => (error ? reject(Object.assign(new Error(error.errorMessage), error)) : resolve(result.data))),
  );

/** Checks that a call is refused, and how. */
const refused = async (wanted, api, method, request) => {
  await assert.rejects(call(api, method, request), (error) => {
    assert.equal(error.error, wanted.error, method);
    assert.equal(error.errorCode, wanted.code, method);
    assert.equal(typeof error.code, "number");
    assert.equal(typeof error.status, "string");
    assert.deepEqual(Object.keys(error.errorDetails ?? {}), wanted.fields ?? [], method);
    return true;
  });
};

// A player: registration, logins, account, name.
const zeus = { Email: "zeus@olympus.example", Username: "zeus", Password: "thunder and rain", DisplayName: "Zeus" };
const registered = await call(PlayFabClient, "RegisterPlayFabUser", { ...zeus });
assert.match(registered.PlayFabId, /^[0-9A-F]{16}$/);
assert.ok(registered.SessionTicket.startsWith(`${registered.PlayFabId}-`));
assert.ok(registered.EntityToken.EntityToken);
await refused({ error: "EmailAddressNotAvailable", code: 1006, fields: ["Email"] }, PlayFabClient, "RegisterPlayFabUser", { ...zeus });
await refused({ error: "UsernameNotAvailable", code: 1009, fields: ["Username"] }, PlayFabClient, "RegisterPlayFabUser", {
  ...zeus,
  Email: "a@b.example",
});
await refused({ error: "NameNotAvailable", code: 1058 }, PlayFabClient, "RegisterPlayFabUser", {
  ...zeus,
  Email: "a@b.example",
  Username: "hera",
});
await refused({ error: "InvalidParams", code: 1000, fields: ["Password"] }, PlayFabClient, "RegisterPlayFabUser", {
  ...zeus,
  Password: "x",
});
await refused({ error: "InvalidParams", code: 1000, fields: ["Email"] }, PlayFabClient, "RegisterPlayFabUser", {
  Username: "hera",
  Password: "peacock feathers",
});

const login = await call(PlayFabClient, "LoginWithEmailAddress", {
  Email: zeus.Email,
  Password: zeus.Password,
  InfoRequestParameters: { GetUserAccountInfo: true, GetUserVirtualCurrency: true, GetUserInventory: true, GetPlayerStatistics: true },
});
assert.equal(login.PlayFabId, registered.PlayFabId);
assert.equal(login.NewlyCreated, false);
assert.equal(login.InfoResultPayload.AccountInfo.TitleInfo.DisplayName, "Zeus");
await refused({ error: "InvalidEmailOrPassword", code: 1142 }, PlayFabClient, "LoginWithEmailAddress", {
  Email: zeus.Email,
  Password: "lightning rods",
});
await refused({ error: "AccountNotFound", code: 1001 }, PlayFabClient, "LoginWithEmailAddress", {
  Email: "no@body.example",
  Password: "lightning rods",
});
assert.equal(
  (await call(PlayFabClient, "LoginWithPlayFab", { Username: "ZEUS", Password: zeus.Password })).PlayFabId,
  registered.PlayFabId,
);
await refused({ error: "InvalidUsernameOrPassword", code: 1003 }, PlayFabClient, "LoginWithPlayFab", {
  Username: "zeus",
  Password: "lightning rods",
});

// The SDK stores the ticket of the last login and sends it itself.
const account = await call(PlayFabClient, "GetAccountInfo");
assert.equal(account.AccountInfo.PrivateInfo.Email, zeus.Email);
assert.equal((await call(PlayFabClient, "UpdateUserTitleDisplayName", { DisplayName: "Thunderer" })).DisplayName, "Thunderer");
await refused({ error: "InvalidParams", code: 1000, fields: ["DisplayName"] }, PlayFabClient, "UpdateUserTitleDisplayName", {
  DisplayName: "Z",
});
assert.equal((await call(PlayFabClient, "GetUserInventory")).VirtualCurrency.gt, 0);

// The game's server: nothing works without the key, which the SDK sends.
PlayFab.settings.developerSecretKey = "not the key";
await refused({ error: "NotAuthenticated", code: 1074 }, PlayFabServer, "GetTime");
PlayFab.settings.developerSecretKey = process.env.KEY;
assert.ok(Date.parse((await call(PlayFabServer, "GetTime")).Time));
const id = registered.PlayFabId;
const held = await call(PlayFabServer, "AuthenticateSessionTicket", { SessionTicket: login.SessionTicket });
assert.equal(held.UserInfo.PlayFabId, id);
assert.equal(held.IsSessionTicketExpired, false);
await refused({ error: "InvalidSessionTicket", code: 1100 }, PlayFabServer, "AuthenticateSessionTicket", { SessionTicket: "x" });
assert.equal((await call(PlayFabServer, "GetUserAccountInfo", { PlayFabId: id })).UserInfo.TitleInfo.DisplayName, "Thunderer");
await refused({ error: "AccountNotFound", code: 1001 }, PlayFabServer, "GetUserAccountInfo", { PlayFabId: "0123456789ABCDEF" });

// Currencies, with both pitfalls.
const change = { PlayFabId: id, VirtualCurrency: "gt" };
assert.equal((await call(PlayFabServer, "AddUserVirtualCurrency", { ...change, Amount: 40 })).Balance, 40);
assert.equal((await call(PlayFabServer, "SubtractUserVirtualCurrency", { ...change, Amount: 50 })).Balance, -10);
assert.equal((await call(PlayFabServer, "AddUserVirtualCurrency", { ...change, Amount: 2147483647 })).Balance, 2147483637);
assert.equal((await call(PlayFabServer, "AddUserVirtualCurrency", { ...change, Amount: 2147483647 })).BalanceChange, 10);
await refused({ error: "InvalidVirtualCurrency", code: 1051 }, PlayFabServer, "AddUserVirtualCurrency", {
  ...change,
  VirtualCurrency: "xx",
  Amount: 1,
});
assert.equal((await call(PlayFabServer, "GetUserInventory", { PlayFabId: id })).VirtualCurrency.gt, 2147483647);
const combined = await call(PlayFabServer, "GetPlayerCombinedInfo", {
  PlayFabId: id,
  InfoRequestParameters: { GetUserVirtualCurrency: true },
});
assert.equal(combined.InfoResultPayload.UserVirtualCurrency.gt, 2147483647);

// Statistics and leaderboards.
const second = await call(PlayFabClient, "LoginWithCustomID", { CustomId: "device 1", CreateAccount: true });
assert.equal(second.NewlyCreated, true);
await refused({ error: "AccountNotFound", code: 1001 }, PlayFabClient, "LoginWithCustomID", { CustomId: "device 2" });
const third = await call(PlayFabServer, "LoginWithServerCustomId", {
  ServerCustomId: "x-1",
  CreateAccount: true,
  InfoRequestParameters: { GetUserAccountInfo: true },
});
assert.equal(third.NewlyCreated, true);
assert.equal(third.InfoResultPayload.AccountInfo.ServerCustomIdInfo.CustomId, "x-1");
assert.equal(
  (await call(PlayFabServer, "LoginWithServerCustomId", { ServerCustomId: "x-1", CreateAccount: true })).PlayFabId,
  third.PlayFabId,
);
await refused({ error: "AccountNotFound", code: 1001 }, PlayFabServer, "LoginWithServerCustomId", { ServerCustomId: "x-2" });
await refused({ error: "InvalidParams", code: 1000, fields: ["ServerCustomId"] }, PlayFabServer, "LoginWithServerCustomId", {
  CreateAccount: true,
});
for (const [player, Value] of [
  [id, 7],
  [second.PlayFabId, 9],
]) {
  await call(PlayFabServer, "UpdatePlayerStatistics", { PlayFabId: player, Statistics: [{ StatisticName: "kod", Value }] });
}
const board = await call(PlayFabServer, "GetLeaderboard", { StatisticName: "kod", StartPosition: 0, MaxResultsCount: 10 });
assert.deepEqual(
  board.Leaderboard.map((e) => [e.Position, e.PlayFabId, e.StatValue, e.DisplayName]),
  [
    [0, second.PlayFabId, 9, undefined],
    [1, id, 7, "Thunderer"],
  ],
);
const around = await call(PlayFabServer, "GetLeaderboardAroundUser", { StatisticName: "kod", PlayFabId: id, MaxResultsCount: 1 });
assert.deepEqual(
  around.Leaderboard.map((e) => e.Position),
  [1],
);
assert.equal((await call(PlayFabClient, "GetLeaderboard", { StatisticName: "kod", StartPosition: 1 })).Leaderboard.length, 1);

// A forgotten password.
await call(PlayFabClient, "SendAccountRecoveryEmail", { TitleId: process.env.TITLE, Email: zeus.Email });
await call(PlayFabServer, "SendCustomAccountRecoveryEmail", { Email: zeus.Email, EmailTemplateId: "ABC123" });
await refused({ error: "AccountNotFound", code: 1001 }, PlayFabClient, "SendAccountRecoveryEmail", {
  TitleId: process.env.TITLE,
  Email: "no@body.example",
});
const mails = await (await fetch(process.env.MAILS)).json();
assert.deepEqual(
  mails.map((m) => [m.To, m.Template]),
  [
    [zeus.Email, ""],
    [zeus.Email, "ABC123"],
  ],
);
const Token = mails[1].Token;
assert.equal((await call(PlayFabAdmin, "GetPlayerIdFromAuthToken", { Token, TokenType: "Email" })).PlayFabId, id);
await call(PlayFabAdmin, "ResetPassword", { Token, Password: "new thunder" });
await refused({ error: "AuthTokenAlreadyUsedToResetPassword", code: 1329 }, PlayFabAdmin, "ResetPassword", {
  Token,
  Password: "newer thunder",
});
await refused({ error: "AuthTokenDoesNotExist", code: 1327 }, PlayFabAdmin, "ResetPassword", { Token: "x", Password: "newer thunder" });
await call(PlayFabClient, "LoginWithEmailAddress", { Email: zeus.Email, Password: "new thunder" });

// The operator.
assert.equal((await call(PlayFabAdmin, "UpdateUserTitleDisplayName", { PlayFabId: id, DisplayName: "Zeus" })).DisplayName, "Zeus");
assert.deepEqual((await call(PlayFabAdmin, "DeleteMasterPlayerAccount", { PlayFabId: id })).TitleIds, [process.env.TITLE]);
await refused({ error: "AccountNotFound", code: 1001 }, PlayFabServer, "GetUserAccountInfo", { PlayFabId: id });

// Rate limiting per address: last, because it affects later calls.
let throttled;
for (let i = 0; i < 100 && !throttled; i++) {
  await call(PlayFabClient, "LoginWithCustomID", { CustomId: "device 1" }).catch((error) => {
    throttled = error;
  });
}
assert.equal(throttled.error, "APIClientRequestRateLimitExceeded");
assert.equal(throttled.errorCode, 1199);
assert.equal(throttled.code, 429);
assert.ok(throttled.retryAfterSeconds > 0);
