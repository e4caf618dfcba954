import type { components } from "./schema.gen";

/** Short names of what the server's operations of the console take and return. */

type Schemas = components["schemas"];

// The operator's own session and passkeys.
export type Session = Schemas["OperatorSession"];
export type Role = Session["role"];
export type Ceremony = Schemas["PasskeyOptions"];
export type Answer = Schemas["OperatorAnswer"];
export type InvitationToken = Schemas["InvitationToken"];
export type InvitationOptions = Schemas["InvitationOptions"];
export type InvitationAnswer = Schemas["InvitationAnswer"];
export type OperatorPasskey = Schemas["OperatorPasskey"];
export type OperatorPasskeys = Schemas["OperatorPasskeys"];
export type NewOperatorPasskey = Schemas["NewOperatorPasskey"];

// Operators.
export type Operator = Schemas["Operator"];
export type Operators = Schemas["Operators"];
export type Invitation = Schemas["Invitation"];
export type NewInvitation = Schemas["InviteOperatorBody"];
export type NewOperator = Schemas["NewOperator"];
export type ChangeRole = Schemas["ChangeRoleBody"];

// The portal.
export type Home = Schemas["Home"];
export type Event = Schemas["Entry"];
export type EventPage = Schemas["ConsoleLog"];
export type GasBudget = Schemas["GasBudget"];
export type GasBudgets = Schemas["GasBudgets"];
export type RaiseGas = Schemas["RaiseGasBody"];
export type SupportRequest = Schemas["SupportRequest"];
export type SupportRequests = Schemas["SupportRequests"];

// Players.
export type Player = Schemas["Player"];
export type FoundPlayer = Schemas["Found"];
export type FoundPlayers = Schemas["FoundPlayers"];
export type PlayerSearch = Schemas["PlayerSearch"];
export type FrozenPlayer = Schemas["Frozen"];
export type FrozenPlayers = Schemas["FrozenPlayers"];
export type PlayerPage = Schemas["PlayerPage"];
export type Changed = Schemas["ScoredPlayer"];
export type FreezeResult = Schemas["FreezeResult"];
export type Unfrozen = Schemas["Unfrozen"];
export type Forgiven = Schemas["Forgiven"];
export type PutOnList = Schemas["PutOnListBody"];
export type SetScore = Schemas["SetScoreBody"];

// Rewards and orders.
export type Order = Schemas["PlayerOrder"];
export type OrderPage = Schemas["OrderPage"];
export type Reward = Schemas["Reward"];
export type Rewards = Schemas["OwedRewards"];
export type RedoReward = Schemas["RedoReward"];
export type RedoneReward = Schemas["RedoneReward"];
export type AssignReward = Schemas["AssignReward"];
export type Shop = Schemas["ShopBacklog"];
export type ShopOrder = Schemas["ShopOrder"];
export type AssignShopOrder = Schemas["AssignShopOrderBody"];

/** The body of acts that need nothing but a reason. */
export type Reason = Schemas["Reason"];
export type Success = Schemas["Success"];
