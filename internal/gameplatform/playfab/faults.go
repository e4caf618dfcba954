package playfab

import (
	"context"
	"errors"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/humanize"
)

// PlayFab's error codes that the package handles.
const (
	invalidParams                  = 1000
	accountNotFound                = 1001
	accountBanned                  = 1002
	invalidUsernameOrPassword      = 1003
	invalidTitleID                 = 1004
	invalidEmailAddress            = 1005
	emailAddressNotAvailable       = 1006
	invalidPassword                = 1008
	invalidVirtualCurrency         = 1051
	nameNotAvailable               = 1058
	invalidRequest                 = 1071
	notAuthenticated               = 1074
	notAuthorized                  = 1089
	invalidSessionTicket           = 1100
	internalServerError            = 1110
	serviceUnavailable             = 1123
	downstreamServiceUnavailable   = 1127
	requestLimitExceeded           = 1130
	concurrentEditError            = 1133
	invalidEmailOrPassword         = 1142
	expiredAuthToken               = 1153
	apiNotEnabledForServer         = 1194
	rateLimitExceeded              = 1199
	invalidJSON                    = 1200
	profaneDisplayName             = 1234
	dataUpdateRateExceeded         = 1287
	accountDeleted                 = 1322
	noContactEmailAddressFound     = 1325
	invalidAuthToken               = 1326
	authTokenDoesNotExist          = 1327
	authTokenExpired               = 1328
	authTokenUsed                  = 1329
	concurrentRequestLimitExceeded = 1342
	titleDeleted                   = 1347
	evaluationModeFull             = 1490
	currencyUnavailable            = 1512
	productDisabled                = 1609
	playerCreationDisabled         = 22000
)

var (
	errAway     = fault.New(fault.Unavailable, "We cannot reach the game's accounts just now. Please try again in a moment.")
	errBanned   = fault.New(fault.Forbidden, "This account is closed. Please write to our support.")
	errNoPlayer = fault.New(fault.NotFound, "There is no such player.")
	errNoPurse  = fault.New(fault.NotFound, "There is no such currency.")
	errNoMore   = fault.New(fault.Unavailable, "No new accounts can be made just now. Please try again later.")
)

// explain turns the error of a call into a fault. Errors that only an operator or a developer can fix are returned
// unchanged.
func explain(err error) error {
	if err == nil {
		return nil
	}
	r := refused(err)
	if r == nil {
		if isLost(err) && !errors.Is(err, context.Canceled) {
			return errAway.Because(err)
		}
		return err
	}
	switch r.code {
	case accountNotFound, accountDeleted:
		return errNoPlayer.Because(err)
	case accountBanned:
		return errBanned.Because(err)
	case invalidVirtualCurrency:
		return errNoPurse.Because(err)
	case requestLimitExceeded, rateLimitExceeded, concurrentRequestLimitExceeded:
		wait := r.retryAfter
		if wait == 0 {
			wait = defaultClosed
		}
		return fault.Wait(wait, "The game's accounts are busy. Please try again in %s.", humanize.Duration(wait)).Because(err)
	case concurrentEditError, dataUpdateRateExceeded, downstreamServiceUnavailable, serviceUnavailable, internalServerError,
		currencyUnavailable:
		f := errAway.Because(err)
		f.RetryAfter = r.retryAfter
		return f
	case evaluationModeFull, playerCreationDisabled:
		return errNoMore.Because(err)
	}
	return err
}

// Fields of a registration that PlayFab may refuse.
var (
	emailTaken   = fault.Field{Location: "body.email", Message: "There is an account with this email already."}
	nameTaken    = fault.Field{Location: "body.displayName", Message: "This name is taken."}
	emailWrong   = fault.Field{Location: "body.email", Message: "This does not look like an email address."}
	nameProfane  = fault.Field{Location: "body.displayName", Message: "Please choose another name."}
	nameWrong    = fault.Field{Location: "body.displayName", Message: "A name has 3 to 20 characters."}
	passwordsLen = fault.Field{Location: "body.password", Message: "A new password has 8 to 100 characters."}
)

// explainRegistration turns the error of a call with email, name or password into a fault that names the field.
func explainRegistration(err error) error {
	switch code(err) {
	case emailAddressNotAvailable:
		return conflict(emailTaken, err)
	case nameNotAvailable:
		return conflict(nameTaken, err)
	case invalidEmailAddress:
		return invalid(err, emailWrong)
	case profaneDisplayName:
		return invalid(err, nameProfane)
	case invalidPassword:
		return invalid(err, passwordsLen)
	case invalidParams:
		var fields []fault.Field
		for _, f := range []struct {
			name  string
			field fault.Field
		}{{"Email", emailWrong}, {"DisplayName", nameWrong}, {"Password", passwordsLen}} {
			if broken(err, f.name) {
				fields = append(fields, f.field)
			}
		}
		if len(fields) > 0 {
			return invalid(err, fields...)
		}
	}
	return explain(err)
}

func conflict(field fault.Field, err error) error {
	f := fault.New(fault.Conflict, "%s", field.Message).Because(err)
	f.Fields = []fault.Field{field}
	return f
}

func invalid(err error, fields ...fault.Field) error {
	return fault.InvalidFields("Please check what you entered.", fields...).Because(err)
}
