package playfab

import "net/http"

// Error is one error of a call.
type Error struct {
	HTTP       int
	Code       int
	Name       string
	Message    string
	Details    map[string][]string
	RetryAfter int // seconds
}

// PlayFab's errors. Codes and names are PlayFab's; the HTTP statuses are as observed, and nothing may depend on them.
var (
	InvalidParams = &Error{
		HTTP: http.StatusBadRequest, Code: 1000, Name: "InvalidParams", Message: "Invalid input parameters",
	}
	AccountNotFound = &Error{HTTP: http.StatusBadRequest, Code: 1001, Name: "AccountNotFound", Message: "User not found"}
	AccountBanned   = &Error{
		HTTP: http.StatusForbidden, Code: 1002, Name: "AccountBanned", Message: "The account making this request is currently banned",
		Details: map[string][]string{"Reason": {"Indefinite"}},
	}
	InvalidUsernameOrPassword = &Error{
		HTTP: http.StatusUnauthorized, Code: 1003, Name: "InvalidUsernameOrPassword", Message: "Invalid username or password",
	}
	InvalidTitleID      = &Error{HTTP: http.StatusBadRequest, Code: 1004, Name: "InvalidTitleId", Message: "Invalid title id"}
	InvalidEmailAddress = &Error{
		HTTP: http.StatusBadRequest, Code: 1005, Name: "InvalidEmailAddress", Message: "Invalid email address",
	}
	EmailAddressNotAvailable = &Error{
		HTTP: http.StatusBadRequest, Code: 1006, Name: "EmailAddressNotAvailable", Message: "Email address not available",
		Details: map[string][]string{"Email": {"Email address already exists. "}},
	}
	UsernameNotAvailable = &Error{
		HTTP: http.StatusBadRequest, Code: 1009, Name: "UsernameNotAvailable", Message: "Username not available",
		Details: map[string][]string{"Username": {"User name already exists."}},
	}
	InvalidVirtualCurrency = &Error{
		HTTP: http.StatusBadRequest, Code: 1051, Name: "InvalidVirtualCurrency", Message: "Invalid virtual currency",
	}
	NameNotAvailable = &Error{
		HTTP: http.StatusBadRequest, Code: 1058, Name: "NameNotAvailable", Message: "Name not available",
	}
	NotAuthenticated = &Error{
		HTTP: http.StatusUnauthorized, Code: 1074, Name: "NotAuthenticated", Message: "This API method does not allow anonymous callers.",
	}
	InvalidSessionTicket = &Error{
		HTTP: http.StatusBadRequest, Code: 1100, Name: "InvalidSessionTicket", Message: "Invalid session ticket",
	}
	InternalServerError = &Error{
		HTTP: http.StatusInternalServerError, Code: 1110, Name: "InternalServerError", Message: "An unexpected error occurred",
	}
	ServiceUnavailable = &Error{
		HTTP: http.StatusServiceUnavailable, Code: 1123, Name: "ServiceUnavailable", Message: "Service unavailable",
	}
	DownstreamServiceUnavailable = &Error{
		HTTP: http.StatusServiceUnavailable, Code: 1127, Name: "DownstreamServiceUnavailable",
		Message: "A service this one depends on is unavailable",
	}
	APIRequestLimitExceeded = &Error{
		HTTP: http.StatusTooManyRequests, Code: 1130, Name: "APIRequestLimitExceeded",
		Message: "The title has exceeded its limit of requests",
	}
	InvalidAPIEndpoint = &Error{
		HTTP: http.StatusNotFound, Code: 1131, Name: "InvalidAPIEndpoint", Message: "Unknown API method",
	}
	ConcurrentEditError = &Error{
		HTTP: http.StatusConflict, Code: 1133, Name: "ConcurrentEditError", Message: "Concurrent edit",
	}
	InvalidEmailOrPassword = &Error{
		HTTP: http.StatusUnauthorized, Code: 1142, Name: "InvalidEmailOrPassword", Message: "Invalid email address or password",
	}
	InvalidContentType = &Error{
		HTTP: http.StatusBadRequest, Code: 1144, Name: "InvalidContentType", Message: "Invalid content type",
	}
	APIClientRequestRateLimitExceeded = &Error{
		HTTP: http.StatusTooManyRequests, Code: 1199, Name: "APIClientRequestRateLimitExceeded",
		Message: "The client has exceeded the maximum API request rate and is being throttled",
	}
	InvalidJSONContent = &Error{
		HTTP: http.StatusBadRequest, Code: 1200, Name: "InvalidJSONContent", Message: "Invalid JSON in request",
	}
	RequestTooLarge = &Error{
		HTTP: http.StatusRequestEntityTooLarge, Code: 1214, Name: "OverLimit", Message: "The request is too large",
	}
	ProfaneDisplayName = &Error{
		HTTP: http.StatusBadRequest, Code: 1234, Name: "ProfaneDisplayName", Message: "Profane display name",
	}
	DataUpdateRateExceeded = &Error{
		HTTP: http.StatusConflict, Code: 1287, Name: "DataUpdateRateExceeded", Message: "Data update rate exceeded",
	}
	NoContactEmailAddressFound = &Error{
		HTTP: http.StatusBadRequest, Code: 1325, Name: "NoContactEmailAddressFound", Message: "No contact email address found",
	}
	AuthTokenDoesNotExist = &Error{
		HTTP: http.StatusBadRequest, Code: 1327, Name: "AuthTokenDoesNotExist", Message: "The token does not exist",
	}
	AuthTokenExpired = &Error{
		HTTP: http.StatusBadRequest, Code: 1328, Name: "AuthTokenExpired", Message: "The token has expired",
	}
	AuthTokenAlreadyUsedToResetPassword = &Error{
		HTTP: http.StatusBadRequest, Code: 1329, Name: "AuthTokenAlreadyUsedToResetPassword", Message: "The token was used already",
	}
	SMTPAddonNotEnabled = &Error{
		HTTP: http.StatusBadRequest, Code: 1341, Name: "SmtpAddonNotEnabled", Message: "The SMTP add-on is not enabled",
	}
	APIConcurrentRequestLimitExceeded = &Error{
		HTTP: http.StatusTooManyRequests, Code: 1342, Name: "APIConcurrentRequestLimitExceeded", Message: "Too many concurrent requests",
	}
	ProductDisabledForTitle = &Error{
		HTTP: http.StatusBadRequest, Code: 1609, Name: "ProductDisabledForTitle", Message: "The product is disabled for this title",
	}
)

// invalid returns InvalidParams with an error about one field.
func invalid(field, problem string) *Error {
	e := *InvalidParams
	e.Details = map[string][]string{field: {problem}}
	return &e
}
