package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"syscall"

	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/web"
	"greenroom/internal/storage/shelf"
)

// Error is a refusal in the words of the dialect. Nearly all go out as HTTP 400, with the real status in the body.
type Error struct {
	HTTP    int    `json:"-"`
	Status  string `json:"statusCode"`
	Kind    string `json:"error"`
	Message string `json:"message"`
	Code    string `json:"code"`
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

func refuse(status int, kind, message, code string) *Error {
	return &Error{http.StatusBadRequest, strconv.Itoa(status), kind, message, code}
}

func outright(status int, kind, message, code string) *Error {
	return &Error{status, strconv.Itoa(status), kind, message, code}
}

// The refusals of the contract.
var (
	errNoBucket     = refuse(404, "Bucket not found", "Bucket not found", "NoSuchBucket")
	errNoRelated    = refuse(404, "Bucket not found", "The related resource does not exist", "NoSuchBucket")
	errNoObject     = refuse(404, "not_found", "Object not found", "NoSuchKey")
	errPolicy       = refuse(403, "Unauthorized", "new row violates row-level security policy", "AccessDenied")
	errDenied       = refuse(403, "Unauthorized", "Access denied", "AccessDenied")
	errServiceOnly  = outright(403, "Unauthorized", "Access denied: Invalid role", "AccessDenied")
	errKeyExists    = refuse(409, "Duplicate", "The resource already exists", "KeyAlreadyExists")
	errMoveExists   = refuse(409, "Duplicate", "The resource already exists", "ResourceAlreadyExists")
	errBucketExists = refuse(409, "Duplicate", "The resource already exists", "BucketAlreadyExists")
	errNotEmpty     = refuse(409, "ResourceNotEmpty", "The bucket you tried to delete is not empty", "ResourceNotEmpty")
	errTooLarge     = refuse(413, "Payload too large", "The object exceeded the maximum allowed size", "EntityTooLarge")
	errQuota        = refuse(413, "Payload too large", "There is no room left for this in the quota", "EntityTooLarge")
	errBucketName   = refuse(400, "Invalid Input", "Bucket name invalid", "InvalidBucketName")
	errNotJSON      = refuse(400, "FastifyError", "Body is not valid JSON but content-type is set to 'application/json'", "InvalidRequest")
	errSignature    = refuse(400, "InvalidSignature", "Invalid signature", "InvalidSignature")
	errNotUpload    = refuse(400, "InvalidSignature", "Token is not scoped for upload", "InvalidSignature")
	errForged       = refuse(400, "InvalidJWT", "signature verification failed", "InvalidJWT")
	errOver         = refuse(400, "InvalidJWT", `"exp" claim timestamp check failed`, "InvalidJWT")
	errNoToken      = invalid("querystring must have required property 'token'")
	errRange        = outright(416, "invalid_range", "invalid range provided", "InvalidRange")
	errSlowDown     = outright(429, "too_many_connections", "Too many connections issued to the database", "SlowDown")
	errNoRoom       = outright(429, "no_room", "The server has no room left to store this. Please try again later.", "SlowDown")
	errAway         = outright(503, "storage_away", "Stored files cannot be reached right now. Please try again in a minute.", "SlowDown")
	errNoBearer     = invalid("headers must have required property 'authorization'")
	errCursor       = refuse(400, "Invalid Input", "Invalid Parameter continuation token", "InvalidParameter")
)

// The refusals of uploads in several requests, which go out as plain text with their real status.
var (
	errNoTus       = plain(412, "Tus-Resumable Required")
	errNoLength    = plain(400, "Upload-Length or Upload-Defer-Length header required")
	errBadLength   = plain(400, "Invalid upload-length")
	errNoMetadata  = plain(400, "Metadata header is required")
	errBadMetadata = plain(400, "Invalid upload-metadata")
	errMaximum     = plain(413, "Maximum size exceeded")
	errNoOffset    = plain(403, "Upload-Offset header required")
	errBadOffset   = plain(400, "Invalid upload-offset")
	errConflict    = plain(409, "Upload-Offset conflict")
	errTaken       = plain(409, "Another request has taken the upload over")
	errBroken      = plain(409, "The body ended before its time")
	errContentType = plain(400, "Invalid content-type")
	errExceeded    = plain(413, "upload's size exceeded")
	errNoUpload    = plain(404, "The upload does not exist")
	errUploadGone  = plain(410, "The upload is over")
	errUploadName  = plain(400, "Invalid upload id")
	errUploadDone  = plain(409, "The upload is complete")
	errManyUploads = plain(429, "Too many uploads are open: finish or delete one first")
	errLocked      = plain(423, "The resource is locked")
	errNoSignature = plain(400, "Missing x-signature header")
)

func plain(status int, message string) *Error {
	return outright(status, "Error", message, "InvalidRequest")
}

// text is an error that goes out as plain text with its real status.
type text struct{ error }

func (t text) Unwrap() error { return t.error }

// BadToken refuses a bearer, and says what is wrong with it.
func BadToken(message string) error {
	return refuse(403, "Unauthorized", message, "AccessDenied")
}

// What is wrong with a bearer, in the words of the contract.
const (
	Undecodable = "Invalid Compact JWS"
	Expired     = `"exp" claim timestamp check failed`
)

func invalid(message string) *Error { return refuse(400, "Error", message, "InvalidRequest") }

func badKey(key string) *Error { return refuse(400, "InvalidKey", "Invalid key: "+key, "InvalidKey") }

func badType(kind string) *Error {
	return refuse(415, "invalid_mime_type", "mime type "+kind+" is not supported", "InvalidMimeType")
}

func noRoute(r *http.Request) *Error {
	return outright(404, "Not Found", fmt.Sprintf("Route %s:%s not found", r.Method, strings.TrimPrefix(r.URL.EscapedPath(), Prefix)), "InvalidRequest")
}

// WriteError answers in the dialect. What is our own mistake is logged by the edge, and hidden here.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	if web.Gone(w, r) {
		return
	}
	said := of(err)
	header := w.Header()
	if said.HTTP == http.StatusTooManyRequests || said.HTTP == http.StatusServiceUnavailable {
		header.Set("Retry-After", "10")
	}
	header.Set("Cache-Control", "no-store")
	if _, ok := errors.AsType[text](err); ok {
		status, _ := strconv.Atoi(said.Status)
		header.Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(said.Message))
		return
	}
	header.Set("Content-Type", "application/json; charset=utf-8")
	body, _ := json.Marshal(said) // of texts alone
	w.WriteHeader(said.HTTP)
	_, _ = w.Write(body) // the client may be gone
}

// of gives what an error is on the wire.
func of(err error) *Error {
	if said, ok := errors.AsType[*Error](err); ok {
		return said
	}
	if _, much := errors.AsType[*http.MaxBytesError](err); much {
		return errTooLarge
	}
	if full(err) {
		return errNoRoom
	}
	if shelf.IsAway(err) {
		return errAway
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errSlowDown
	}
	if known, ok := errors.AsType[*fault.Error](err); ok && (known.Kind == fault.Unavailable || known.Kind == fault.TooMany) {
		return errSlowDown
	}
	return outright(http.StatusInternalServerError, "Internal", "Something went wrong on our side.", "InternalError")
}

// full tells whether the disk took no more.
func full(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
