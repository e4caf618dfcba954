package playfab

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf16"
)

// need is the credential that a call needs.
type need int

const (
	nothing need = iota
	ticketOfPlayer
	keyOfTitle
)

// call is one method of the API. It runs with the title locked; who is the player of the ticket.
type call struct {
	needs need
	do    func(s *Server, who *account, body []byte) (any, *Error)
}

// method turns a function of a request into a call.
func method[In any](needs need, do func(s *Server, who *account, in In) (any, *Error)) call {
	return call{needs, func(s *Server, who *account, body []byte) (any, *Error) {
		var in In
		if err := json.Unmarshal(body, &in); err != nil {
			return nil, InvalidParams
		}
		return do(s, who, in)
	}}
}

var calls = map[string]call{
	"Client/RegisterPlayFabUser":        method(nothing, (*Server).register),
	"Client/LoginWithEmailAddress":      method(nothing, (*Server).loginWithEmail),
	"Client/LoginWithPlayFab":           method(nothing, (*Server).loginWithUsername),
	"Client/LoginWithCustomID":          method(nothing, (*Server).loginWithCustomID),
	"Client/SendAccountRecoveryEmail":   method(nothing, (*Server).sendRecovery),
	"Client/GetAccountInfo":             method(ticketOfPlayer, (*Server).ownAccountInfo),
	"Client/GetUserInventory":           method(ticketOfPlayer, (*Server).ownInventory),
	"Client/UpdateUserTitleDisplayName": method(ticketOfPlayer, (*Server).renameSelf),
	"Client/GetLeaderboard":             method(ticketOfPlayer, (*Server).clientLeaderboard),

	"Server/LoginWithServerCustomId":        method(keyOfTitle, (*Server).loginWithServerCustomID),
	"Server/GetTime":                        method(keyOfTitle, (*Server).time),
	"Server/AuthenticateSessionTicket":      method(keyOfTitle, (*Server).authenticateTicket),
	"Server/GetUserAccountInfo":             method(keyOfTitle, (*Server).accountInfo),
	"Server/GetUserInventory":               method(keyOfTitle, (*Server).inventory),
	"Server/GetPlayerCombinedInfo":          method(keyOfTitle, (*Server).combinedInfo),
	"Server/AddUserVirtualCurrency":         method(keyOfTitle, (*Server).addCurrency),
	"Server/SubtractUserVirtualCurrency":    method(keyOfTitle, (*Server).subtractCurrency),
	"Server/UpdatePlayerStatistics":         method(keyOfTitle, (*Server).updateStatistics),
	"Server/GetLeaderboard":                 method(keyOfTitle, (*Server).leaderboard),
	"Server/GetLeaderboardAroundUser":       method(keyOfTitle, (*Server).leaderboardAround),
	"Server/SendCustomAccountRecoveryEmail": method(keyOfTitle, (*Server).sendCustomRecovery),

	"Admin/ResetPassword":              method(keyOfTitle, (*Server).resetPassword),
	"Admin/GetPlayerIdFromAuthToken":   method(keyOfTitle, (*Server).playerOfToken),
	"Admin/UpdateUserTitleDisplayName": method(keyOfTitle, (*Server).rename),
	"Admin/DeleteMasterPlayerAccount":  method(keyOfTitle, (*Server).deleteAccount),
}

// Calls returns the names of all implemented calls.
func Calls() []string { return slices.Sorted(maps.Keys(calls)) }

// account is one player.
type account struct {
	id, titlePlayer              string
	username, email, password    string
	displayName, customID        string
	serverCustomID               string
	created, lastLogin, previous time.Time
	banned                       bool
	balances                     map[string]int64
	statistics                   map[string]int64
}

type none struct{}

var (
	alphanumeric = regexp.MustCompile(`^[A-Za-z0-9]{3,20}$`)
	address      = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s]+$`)
)

// length counts like PlayFab, in UTF-16 units.
func length(s string) int { return len(utf16.Encode([]rune(s))) }

func (s *Server) checkName(name string, self *account) *Error {
	if n := length(name); n < 3 || n > 25 {
		return invalid("DisplayName", "DisplayName must be between 3 and 25 characters.")
	}
	for _, a := range s.accounts {
		if a != self && !s.options.SharedNames && strings.EqualFold(a.displayName, name) {
			return NameNotAvailable
		}
	}
	return nil
}

func checkPassword(password string) *Error {
	if n := length(password); n < 6 || n > 100 {
		return invalid("Password", "Password must be between 6 and 100 characters.")
	}
	return nil
}

func (s *Server) find(match func(*account) bool) *account {
	for _, a := range s.accounts {
		if match(a) {
			return a
		}
	}
	return nil
}

func (s *Server) byEmail(email string) *account {
	return s.find(func(a *account) bool { return email != "" && strings.EqualFold(a.email, email) })
}

type infoParameters struct {
	GetUserAccountInfo, GetUserVirtualCurrency, GetUserInventory, GetPlayerStatistics bool
	PlayerStatisticNames                                                              []string
}

type registration struct {
	TitleID, Username, Email, Password, DisplayName string
	RequireBothUsernameAndEmail                     *bool
}

func (s *Server) register(_ *account, in registration) (any, *Error) {
	if in.TitleID != s.options.TitleID {
		return nil, InvalidTitleID
	}
	both := in.RequireBothUsernameAndEmail == nil || *in.RequireBothUsernameAndEmail
	switch {
	case in.Username == "" && (both || in.Email == ""):
		return nil, invalid("Username", "The Username field is required.")
	case in.Email == "" && both:
		return nil, invalid("Email", "The Email field is required.")
	case in.Username != "" && !alphanumeric.MatchString(in.Username):
		return nil, invalid("Username", "Username must be between 3 and 20 characters.")
	case in.Email != "" && !address.MatchString(in.Email):
		return nil, InvalidEmailAddress
	}
	if e := checkPassword(in.Password); e != nil {
		return nil, e
	}
	if s.byEmail(in.Email) != nil {
		return nil, EmailAddressNotAvailable
	}
	if in.Username != "" && s.find(func(a *account) bool { return strings.EqualFold(a.username, in.Username) }) != nil {
		return nil, UsernameNotAvailable
	}
	if in.DisplayName != "" {
		if e := s.checkName(in.DisplayName, nil); e != nil {
			return nil, e
		}
	}
	a := s.newAccount()
	a.username, a.email, a.password, a.displayName = in.Username, in.Email, in.Password, in.DisplayName
	a.login(s.clock.Now())
	return map[string]any{
		"PlayFabId": a.id, "SessionTicket": s.newTicket(a), "Username": a.username, "SettingsForUser": settings, "EntityToken": s.entityToken(a),
	}, nil
}

func (s *Server) newAccount() *account {
	a := &account{id: hexID(8), titlePlayer: hexID(8), created: s.clock.Now(), balances: map[string]int64{}, statistics: map[string]int64{}}
	for _, code := range s.options.Currencies {
		a.balances[code] = 0
	}
	s.accounts[a.id] = a
	return a
}

func hexID(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // never fails, as documented
	return strings.ToUpper(hex.EncodeToString(b))
}

func (a *account) login(now time.Time) { a.previous, a.lastLogin = a.lastLogin, now }

func (s *Server) newTicket(a *account) string {
	t := fmt.Sprintf("%s---%s-%s-%s-%s.%s", a.id, s.options.TitleID, a.titlePlayer, hexID(7), hexID(8), hexID(8))
	s.tickets[t] = ticket{player: a.id, expires: s.clock.Now().Add(TicketTTL)}
	return t
}

var settings = map[string]any{"NeedsAttribution": false, "GatherDeviceInfo": true, "GatherFocusInfo": true}

func (s *Server) entityToken(a *account) any {
	return map[string]any{
		"EntityToken": rand.Text(), "TokenExpiration": s.clock.Now().Add(TicketTTL),
		"Entity": map[string]any{"Id": a.titlePlayer, "Type": "title_player_account"},
	}
}

// holder returns the player of a ticket.
func (s *Server) holder(value string) (*account, *Error) {
	if value == "" {
		return nil, NotAuthenticated
	}
	t, known := s.tickets[value]
	a := s.accounts[t.player]
	switch {
	case !known || a == nil || !s.clock.Now().Before(t.expires):
		return nil, InvalidSessionTicket
	case a.banned:
		return nil, AccountBanned
	}
	return a, nil
}

type login struct {
	TitleID, Email, Username, Password, CustomID, ServerCustomID string
	CreateAccount                                                bool
	InfoRequestParameters                                        infoParameters
}

func (s *Server) loginWithEmail(_ *account, in login) (any, *Error) {
	if in.Email == "" {
		return nil, invalid("Email", "The Email field is required.")
	}
	return s.enter(in, s.byEmail(in.Email), InvalidEmailOrPassword)
}

func (s *Server) loginWithUsername(_ *account, in login) (any, *Error) {
	if in.Username == "" {
		return nil, invalid("Username", "The Username field is required.")
	}
	return s.enter(in, s.find(func(a *account) bool { return strings.EqualFold(a.username, in.Username) }), InvalidUsernameOrPassword)
}

func (s *Server) enter(in login, a *account, wrong *Error) (any, *Error) {
	if in.TitleID != s.options.TitleID {
		return nil, InvalidTitleID
	}
	if e := checkPassword(in.Password); e != nil {
		return nil, e
	}
	if a == nil {
		return nil, AccountNotFound
	}
	if a.password != in.Password {
		return nil, wrong
	}
	return s.loggedIn(a, in, false)
}

func (s *Server) loginWithCustomID(_ *account, in login) (any, *Error) {
	if in.TitleID != s.options.TitleID {
		return nil, InvalidTitleID
	}
	if in.CustomID == "" {
		return nil, invalid("CustomId", "The CustomId field is required.")
	}
	a := s.find(func(a *account) bool { return a.customID == in.CustomID })
	created := a == nil && in.CreateAccount
	if created {
		a = s.newAccount()
		a.customID = in.CustomID
	}
	if a == nil {
		return nil, AccountNotFound
	}
	return s.loggedIn(a, in, created)
}

func (s *Server) loginWithServerCustomID(_ *account, in login) (any, *Error) {
	if in.ServerCustomID == "" {
		return nil, invalid("ServerCustomId", "The ServerCustomId field is required.")
	}
	a := s.find(func(a *account) bool { return a.serverCustomID == in.ServerCustomID })
	created := a == nil && in.CreateAccount
	if created {
		a = s.newAccount()
		a.serverCustomID = in.ServerCustomID
	}
	if a == nil {
		return nil, AccountNotFound
	}
	return s.loggedIn(a, in, created)
}

func (s *Server) loggedIn(a *account, in login, created bool) (any, *Error) {
	if a.banned {
		return nil, AccountBanned
	}
	a.login(s.clock.Now())
	return map[string]any{
		"SessionTicket": s.newTicket(a), "PlayFabId": a.id, "NewlyCreated": created, "LastLoginTime": a.previous, "SettingsForUser": settings,
		"EntityToken": s.entityToken(a), "InfoResultPayload": s.payload(a, in.InfoRequestParameters),
		"TreatmentAssignment": map[string]any{"Variants": []string{}, "Variables": []any{}},
	}, nil
}

// info returns the account with PlayFab's field names.
func (a *account) info() map[string]any {
	private := map[string]any{}
	if a.email != "" {
		private["Email"] = a.email
	}
	title := map[string]any{
		"Created": a.created, "FirstLogin": a.created, "LastLogin": a.lastLogin, "isBanned": a.banned,
		"TitlePlayerAccount": map[string]any{"Id": a.titlePlayer, "Type": "title_player_account"},
	}
	if a.displayName != "" {
		title["DisplayName"] = a.displayName
	}
	info := map[string]any{"PlayFabId": a.id, "Created": a.created, "TitleInfo": title, "PrivateInfo": private}
	if a.username != "" {
		info["Username"] = a.username
	}
	if a.customID != "" {
		info["CustomIdInfo"] = map[string]any{"CustomId": a.customID}
	}
	if a.serverCustomID != "" {
		info["ServerCustomIdInfo"] = map[string]any{"CustomId": a.serverCustomID}
	}
	return info
}

func (s *Server) payload(a *account, p infoParameters) map[string]any {
	out := map[string]any{"UserDataVersion": 0, "UserReadOnlyDataVersion": 0}
	if p.GetUserAccountInfo {
		out["AccountInfo"] = a.info()
	}
	if p.GetUserInventory {
		out["UserInventory"] = []any{}
	}
	if p.GetUserVirtualCurrency {
		out["UserVirtualCurrency"] = a.balances
		out["UserVirtualCurrencyRechargeTimes"] = none{}
	}
	if p.GetPlayerStatistics {
		list := []any{}
		for name, value := range a.statistics {
			if p.PlayerStatisticNames == nil || slices.Contains(p.PlayerStatisticNames, name) {
				list = append(list, map[string]any{"StatisticName": name, "Value": value, "Version": 0})
			}
		}
		out["PlayerStatistics"] = list
	}
	return out
}

func (s *Server) time(*account, none) (any, *Error) {
	return map[string]any{"Time": s.clock.Now()}, nil
}

type lookUp struct {
	PlayFabID, Username, Email, TitleDisplayName string
}

func (s *Server) ownAccountInfo(who *account, in lookUp) (any, *Error) {
	other := in.PlayFabID != "" || in.Username != "" || in.Email != "" || in.TitleDisplayName != ""
	if !other || in.PlayFabID == who.id {
		return map[string]any{"AccountInfo": who.info()}, nil
	}
	a := s.find(func(a *account) bool {
		return a.id == in.PlayFabID || in.Username != "" && strings.EqualFold(a.username, in.Username) ||
			in.Email != "" && strings.EqualFold(a.email, in.Email) ||
			in.TitleDisplayName != "" && strings.EqualFold(a.displayName, in.TitleDisplayName)
	})
	if a == nil {
		return nil, AccountNotFound
	}
	info := a.info()
	info["PrivateInfo"] = none{}
	return map[string]any{"AccountInfo": info}, nil
}

func (s *Server) ownInventory(who *account, _ none) (any, *Error) {
	return map[string]any{"Inventory": []any{}, "VirtualCurrency": who.balances, "VirtualCurrencyRechargeTimes": none{}}, nil
}

type newName struct{ PlayFabID, DisplayName string }

func (s *Server) renameSelf(who *account, in newName) (any, *Error) {
	in.PlayFabID = who.id
	return s.rename(nil, in)
}

func (s *Server) rename(_ *account, in newName) (any, *Error) {
	a, e := s.player(in.PlayFabID)
	if e != nil {
		return nil, e
	}
	if e := s.checkName(in.DisplayName, a); e != nil {
		return nil, e
	}
	a.displayName = in.DisplayName
	return map[string]any{"DisplayName": a.displayName}, nil
}

// player finds the player whom a call concerns.
func (s *Server) player(id string) (*account, *Error) {
	if id == "" {
		return nil, invalid("PlayFabId", "The PlayFabId field is required.")
	}
	a := s.accounts[id]
	if a == nil {
		return nil, AccountNotFound
	}
	return a, nil
}

func (s *Server) authenticateTicket(_ *account, in struct{ SessionTicket string }) (any, *Error) {
	t, known := s.tickets[in.SessionTicket]
	a := s.accounts[t.player]
	if !known || a == nil {
		return nil, InvalidSessionTicket
	}
	return map[string]any{"UserInfo": a.info(), "IsSessionTicketExpired": !s.clock.Now().Before(t.expires)}, nil
}

type ofPlayer struct {
	PlayFabID             string
	InfoRequestParameters infoParameters
}

func (s *Server) accountInfo(_ *account, in ofPlayer) (any, *Error) {
	a, e := s.player(in.PlayFabID)
	if e != nil {
		return nil, e
	}
	return map[string]any{"UserInfo": a.info()}, nil
}

func (s *Server) inventory(_ *account, in ofPlayer) (any, *Error) {
	a, e := s.player(in.PlayFabID)
	if e != nil {
		return nil, e
	}
	return map[string]any{"PlayFabId": a.id, "Inventory": []any{}, "VirtualCurrency": a.balances, "VirtualCurrencyRechargeTimes": none{}}, nil
}

func (s *Server) combinedInfo(_ *account, in ofPlayer) (any, *Error) {
	a, e := s.player(in.PlayFabID)
	if e != nil {
		return nil, e
	}
	in.InfoRequestParameters.GetUserAccountInfo = true // this call always returns it
	return map[string]any{"PlayFabId": a.id, "InfoResultPayload": s.payload(a, in.InfoRequestParameters)}, nil
}

type currencyChange struct {
	PlayFabID, VirtualCurrency string
	Amount                     int32
}

func (s *Server) addCurrency(_ *account, in currencyChange) (any, *Error) {
	return s.changeCurrency(in, 1)
}

func (s *Server) subtractCurrency(_ *account, in currencyChange) (any, *Error) {
	return s.changeCurrency(in, -1)
}

// changeCurrency has PlayFab's two pitfalls: a balance may become negative, and what exceeds the maximum is lost.
func (s *Server) changeCurrency(in currencyChange, sign int64) (any, *Error) {
	a, e := s.player(in.PlayFabID)
	if e != nil {
		return nil, e
	}
	if in.Amount < 0 {
		return nil, invalid("Amount", "Amount must not be negative.")
	}
	before, known := a.balances[in.VirtualCurrency]
	if !known {
		return nil, InvalidVirtualCurrency
	}
	after := min(before+sign*int64(in.Amount), math.MaxInt32)
	a.balances[in.VirtualCurrency] = after
	return map[string]any{"PlayFabId": a.id, "VirtualCurrency": in.VirtualCurrency, "BalanceChange": after - before, "Balance": after}, nil
}

type statistics struct {
	PlayFabID   string
	ForceUpdate bool
	Statistics  []struct {
		StatisticName string
		Value         int32
	}
}

func (s *Server) updateStatistics(_ *account, in statistics) (any, *Error) {
	a, e := s.player(in.PlayFabID)
	if e != nil {
		return nil, e
	}
	if len(in.Statistics) == 0 {
		return nil, invalid("Statistics", "The Statistics field is required.")
	}
	for _, u := range in.Statistics {
		old, has := a.statistics[u.StatisticName]
		value := int64(u.Value)
		if has && !in.ForceUpdate {
			switch s.options.Statistics[u.StatisticName] {
			case "Max":
				value = max(old, value)
			case "Min":
				value = min(old, value)
			case "Sum":
				value += old
			}
		}
		a.statistics[u.StatisticName] = value
	}
	return none{}, nil
}

type leaderboardQuery struct {
	PlayFabID, StatisticName string
	StartPosition            *int
	MaxResultsCount          *int
}

func (q leaderboardQuery) count() (int, *Error) {
	if q.StatisticName == "" {
		return 0, invalid("StatisticName", "The StatisticName field is required.")
	}
	if q.MaxResultsCount == nil {
		return 10, nil
	}
	if n := *q.MaxResultsCount; n < 1 || n > 100 {
		return 0, invalid("MaxResultsCount", "MaxResultsCount must be between 1 and 100.")
	}
	return *q.MaxResultsCount, nil
}

// ranked returns all players with the statistic, best first.
func (s *Server) ranked(statistic string) (list []*account) {
	for _, a := range s.accounts {
		if _, has := a.statistics[statistic]; has {
			list = append(list, a)
		}
	}
	sort.Slice(list, func(i, j int) bool {
		x, y := list[i].statistics[statistic], list[j].statistics[statistic]
		return x > y || x == y && list[i].id < list[j].id
	})
	return list
}

func board(list []*account, statistic string, from, n int) any {
	from = min(max(from, 0), len(list))
	entries := []any{}
	for i, a := range list[from:min(from+n, len(list))] {
		entry := map[string]any{"PlayFabId": a.id, "StatValue": a.statistics[statistic], "Position": from + i}
		if a.displayName != "" {
			entry["DisplayName"] = a.displayName
		}
		entries = append(entries, entry)
	}
	return map[string]any{"Leaderboard": entries, "Version": 0}
}

func (s *Server) clientLeaderboard(_ *account, in leaderboardQuery) (any, *Error) {
	return s.leaderboard(nil, in)
}

func (s *Server) leaderboard(_ *account, in leaderboardQuery) (any, *Error) {
	n, e := in.count()
	if e != nil {
		return nil, e
	}
	if in.StartPosition == nil || *in.StartPosition < 0 {
		return nil, invalid("StartPosition", "StartPosition must be 0 or more.")
	}
	return board(s.ranked(in.StatisticName), in.StatisticName, *in.StartPosition, n), nil
}

func (s *Server) leaderboardAround(_ *account, in leaderboardQuery) (any, *Error) {
	a, e := s.player(in.PlayFabID)
	if e != nil {
		return nil, e
	}
	n, e := in.count()
	if e != nil {
		return nil, e
	}
	list := s.ranked(in.StatisticName)
	at := slices.Index(list, a)
	if at < 0 { // players without a value come last, with none
		list = append(list, a)
		at = len(list) - 1
	}
	return board(list, in.StatisticName, max(0, min(at-n/2, len(list)-n)), n), nil
}

type recoveryRequest struct{ TitleID, Email, Username, EmailTemplateID string }

func (s *Server) sendRecovery(_ *account, in recoveryRequest) (any, *Error) {
	if in.TitleID != s.options.TitleID {
		return nil, InvalidTitleID
	}
	return s.mail(in)
}

func (s *Server) sendCustomRecovery(_ *account, in recoveryRequest) (any, *Error) {
	if in.EmailTemplateID == "" {
		return nil, invalid("EmailTemplateId", "The EmailTemplateId field is required.")
	}
	return s.mail(in)
}

func (s *Server) mail(in recoveryRequest) (any, *Error) {
	if in.Email == "" || !address.MatchString(in.Email) {
		return nil, InvalidEmailAddress
	}
	a := s.byEmail(in.Email)
	if a == nil {
		return nil, AccountNotFound
	}
	token := hexID(8)
	s.recoveries[token] = &recovery{player: a.id, expires: s.clock.Now().Add(recoveryTTL)}
	s.mails = append(s.mails, Mail{To: a.email, Template: in.EmailTemplateID, Token: token})
	return none{}, nil
}

// token returns the account and the recovery of a recovery email's token.
func (s *Server) token(value string) (*account, *recovery, *Error) {
	r := s.recoveries[value]
	if r == nil || s.accounts[r.player] == nil {
		return nil, nil, AuthTokenDoesNotExist
	}
	switch {
	case r.used:
		return nil, nil, AuthTokenAlreadyUsedToResetPassword
	case !s.clock.Now().Before(r.expires):
		return nil, nil, AuthTokenExpired
	}
	return s.accounts[r.player], r, nil
}

type tokenRequest struct{ Token, TokenType, Password string }

func (s *Server) playerOfToken(_ *account, in tokenRequest) (any, *Error) {
	if in.TokenType != "email" && in.TokenType != "Email" {
		return nil, invalid("TokenType", "TokenType must be Email.")
	}
	a, _, e := s.token(in.Token)
	if e != nil {
		return nil, e
	}
	return map[string]any{"PlayFabId": a.id}, nil
}

func (s *Server) resetPassword(_ *account, in tokenRequest) (any, *Error) {
	if e := checkPassword(in.Password); e != nil {
		return nil, e
	}
	a, r, e := s.token(in.Token)
	if e != nil {
		return nil, e
	}
	r.used, a.password = true, in.Password
	return none{}, nil
}

func (s *Server) deleteAccount(_ *account, in ofPlayer) (any, *Error) {
	a, e := s.player(in.PlayFabID)
	if e != nil {
		return nil, e
	}
	delete(s.accounts, a.id)
	return map[string]any{"JobReceiptId": hexID(8), "TitleIds": []string{s.options.TitleID}}, nil
}

// Operations of the game and the operator on players, outside the API.

// Balance returns a player's balance of a currency.
func (s *Server) Balance(playerID, code string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accounts[playerID].balances[code]
}

// SetBalance sets a player's balance of a currency.
func (s *Server) SetBalance(playerID, code string, amount int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accounts[playerID].balances[code] = amount
}

// Ticket returns a new session ticket of a player, like a login of the game's client.
func (s *Server) Ticket(playerID string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newTicket(s.accounts[playerID])
}

// Ban bans a player.
func (s *Server) Ban(playerID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accounts[playerID].banned = true
}

// Players returns the ids of all players.
func (s *Server) Players() (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.accounts {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Mails returns the recovery emails sent.
func (s *Server) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.mails)
}
