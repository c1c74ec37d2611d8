#!/bin/sh
# Writes a kubeconfig for Cluster API and the manager of this provider to standard output. It is for the cluster of the
# current context of kubectl, with the account of access.yaml, and contains the token. It needs no aws, az, gcloud or
# ibmcloud where it is used.
set -eu

usage() {
  cat <<USAGE
usage: kubeconfig.sh [--duration TIME] [--server URL]

  --duration TIME  creates a token that expires after TIME, such as 24h; the cluster may shorten it. Left out: a token
                   that does not expire, in Secret cluster-api-token of namespace capspot-access until you delete it
  --server URL     address of the API server for the management cluster; left out: the address that kubectl uses
USAGE
}

fail() {
  echo "kubeconfig.sh: $1" >&2
  exit 1
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
namespace=capspot-access
account=cluster-api
duration=
server=
while [ $# -gt 0 ]; do
  case $1 in
    --duration | --server)
      [ $# -ge 2 ] || fail "$1 needs a value."
      [ "$1" = --duration ] && duration=$2 || server=$2
      shift 2
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      usage >&2
      fail "there is no option $1."
      ;;
  esac
done

# What the current context says of its cluster, with files read in.
cluster_field() {
  kubectl config view --minify --flatten --raw -o "jsonpath={.clusters[0].cluster.$1}"
}

# A token without an end. The cluster fills the Secret in within moments.
lasting_token() {
  kubectl apply -f - >&2 <<SECRET
apiVersion: v1
kind: Secret
type: kubernetes.io/service-account-token
metadata:
  name: $account-token
  namespace: $namespace
  annotations:
    kubernetes.io/service-account.name: $account
SECRET
  tries=0
  while :; do
    found=$(kubectl get secret "$account-token" --namespace "$namespace" \
      -o go-template='{{with .data}}{{with .token}}{{base64decode .}}{{end}}{{end}}')
    [ -z "$found" ] || break
    tries=$((tries + 1))
    [ "$tries" -lt 30 ] || fail "the cluster gave no token to Secret $account-token within 30 s; use --duration instead."
    sleep 1
  done
  printf %s "$found"
}

[ -n "$server" ] || server=$(cluster_field server)
[ -n "$server" ] || fail "kubectl's current context leads to no cluster; choose one with: kubectl config use-context NAME"
authority=$(cluster_field certificate-authority-data)
server_name=$(cluster_field tls-server-name)

kubectl apply -f "$here/access.yaml" >&2
if [ -n "$duration" ]; then
  token=$(kubectl create token "$account" --namespace "$namespace" --duration "$duration")
else
  token=$(lasting_token)
fi

cat <<CONFIG
apiVersion: v1
kind: Config
current-context: workload
contexts:
  - name: workload
    context: { cluster: workload, user: $account }
clusters:
  - name: workload
    cluster:
      server: "$server"
CONFIG
[ -z "$authority" ] || echo "      certificate-authority-data: $authority"
[ -z "$server_name" ] || echo "      tls-server-name: \"$server_name\""
cat <<CONFIG
users:
  - name: $account
    user:
      token: $token
CONFIG
